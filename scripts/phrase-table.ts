import { explainGate } from '../src/job-orders/gate/gate.ts';
import { readNeed } from '../src/job-orders/gate/need.ts';
import { readOffer } from '../src/job-orders/gate/offer.ts';

/** Credentials as people write them, and the must-have that each is compared with. */
const examples: readonly (readonly [credential: string, mustHave: string])[] = [
  ['RN license OH', 'OH, RN'],
  ['registered nurse', 'RN license'],
  ['Commercial Driver License Class A', 'CDL-A'],
  ['CDL A with Hazmat', 'CDL A'],
  ['BLS card', 'BLS'],
  ['Golang', 'Go'],
  ['RN-BSN', 'RN'],
  ['go-to-market strategy', 'Go'],
  ['non-Java stack', 'Java'],
  ['RN license OH pending', 'RN license OH'],
  ['RN pending OH', 'RN license OH'],
  ['RN license TX', 'RN license IN'],
  ['CPA eligible', 'CPA'],
  ['BLS (in progress)', 'BLS'],
  ['CDL A expired in May', 'CDL A'],
  ['CDL A, not expired', 'CDL A'],
  ['CDL A without Hazmat', 'CDL A'],
  ['CDL A without Hazmat', 'Hazmat'],
  ['suspended ceilings', 'suspended ceilings'],
  ['CDL A permit', 'CDL A'],
  ['BLS (expires 01/31/2027)', 'BLS'],
  ['BLS exp. 2025-01-31', 'BLS'],
  ['BLS until 2027-12-31', 'BLS'],
  ['BLS valid 2023-01-31 to 2025-01-31', 'BLS'],
  ['BLS never expires', 'BLS'],
  ['BLS until next spring', 'BLS'],
];

/** The work of the examples. */
const [startDate, endDate] = ['2026-12-01', '2027-03-31'];
const onetCode = '15-1252.00';

function describe(credential: string, mustHave: string): string {
  const need = readNeed({ id: 'job_a', onetCode, requires: [mustHave], startDate, endDate });
  const offer = readOffer({ id: 'cand_a', onetCode, credentials: [credential], availableFrom: startDate });
  const { unmet, unknown, endsDuring } = explainGate(need, offer);
  if (unmet.length > 0) return `unmet: ${unmet[0]!.text}`;
  if (unknown.length > 0) return `unknown: ${unknown[0]}`;
  return endsDuring.length > 0 ? `met, and ends on ${endsDuring[0]!.until}, during the work` : 'met';
}

/** Returns the section of the guide that shows what was written and what it counts as. */
export function toPhraseTable(): string {
  const rows = examples.map(
    ([credential, mustHave]) => `| ${credential} | ${mustHave} | ${describe(credential, mustHave)} |`,
  );
  return `For work from ${startDate} to ${endDate}:

| credential, as written | must-have | what it counts as |
|---|---|---|
${rows.join('\n')}`;
}
