/** The chips on the page of a person for the credentials that end soon, or have ended. */
import { html, type TemplateResult } from 'lit-html';
import { dayFromNow } from '../../_scripts/format.ts';
import { isolate } from '../../_scripts/isolate.ts';
import { cutEnd, describeEnd, type EndingCredential, endingDaysAhead } from '../common/ending.ts';
import { read } from '../state/client.ts';
import type { PageRecord } from '../state/model.ts';
import { facts } from '../state/page-facts.ts';

/** Reads which credentials of a person end soon. The list of all such people is narrowed by the name. */
export async function readEnding({ id, name, credentials }: PageRecord): Promise<EndingCredential[]> {
  if (credentials === undefined) return [];
  const expiresBefore = dayFromNow(endingDaysAhead + 1);
  const query = { expiresBefore, q: String(name), fields: 'name', limit: String(facts.maxLimit) };
  const { body } = await read(`/candidates?${new URLSearchParams(query)}`);
  const rows = (body.candidates ?? []) as (PageRecord & { expiring: EndingCredential[] })[];
  return rows.find((row) => row.id === id)?.expiring ?? [];
}

/** Shows which credentials end, or have ended. */
export const viewEnding = (ending: readonly EndingCredential[]): TemplateResult[] =>
  ending.map(({ credential, until }) => {
    const words = describeEnd(until, dayFromNow());
    const tone = words.startsWith('ended') ? 'is-blocked' : 'is-offer';
    return html`<span class=${`chip ${tone}`}>${isolate(cutEnd(credential))} ${words}</span> `;
  });
