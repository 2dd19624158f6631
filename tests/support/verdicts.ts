/** What the gate of an order says of what a candidate holds. */
import * as assert from 'uvu/assert';
import { explainGate, meets } from '../../src/job-orders/gate/gate.ts';
import { readNeed } from '../../src/job-orders/gate/need.ts';
import { readOffer } from '../../src/job-orders/gate/offer.ts';
import { onetCode } from './sandbox.ts';

export type Verdict = 'met' | 'unmet' | 'unknown';
const today = '2026-11-29';

interface Asked {
  credentials?: string[];
  skills?: string[];
  requires: string;
}

/** Returns what the gate says of one must-have. */
export function judge({ requires, ...shown }: Asked): Verdict {
  const need = readNeed({ id: 'job_a', onetCode, requires: [requires] });
  const options = { held: { holds: [], today } };
  const offer = readOffer({ id: 'cand_a', onetCode, ...shown });
  const { unmet, unknown } = explainGate(need, offer, options);
  const verdict = unmet.length > 0 ? 'unmet' : unknown.length > 0 ? 'unknown' : 'met';
  const expected = { met: true, unmet: false, unknown: null }[verdict];
  assert.is(meets(need, offer, options), expected, 'the verdict in words and in one value agree');
  return verdict;
}

export const judgeCredential = (requires: string, ...credentials: string[]): Verdict =>
  judge({ requires, credentials });
