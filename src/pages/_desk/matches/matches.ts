/** The matches: who fits an order, which orders fit a person, and proposing them. */
import { html } from 'lit-html';
import { keyed } from 'lit-html/directives/keyed.js';
import { learnNames } from '../common/names.ts';
import { button, viewLoaded } from '../common/parts.ts';
import { read } from '../state/client.ts';
import { hasFailed, load } from '../state/load.ts';
import type { FoundMatch, KindFacts, OpenedRecord, PageRecord } from '../state/model.ts';
import { facts, findKind } from '../state/page-facts.ts';
import { state } from '../state/state.ts';
import { type Pairing, viewMatch } from './match-row.ts';

const atOnce = 5;

function findPairing(kind: KindFacts): Pairing | undefined {
  for (const tie of facts.kinds) {
    const ends = Object.values(tie.references);
    const other = ends.find((name) => name !== kind.name);
    if (ends.includes(kind.name) && other) return { tie, other: findKind(other) };
  }
  return undefined;
}

/** Reads a page of matches of a record, best first. */
const readMatches = ({ row }: OpenedRecord, { other }: Pairing, cursor?: string) =>
  load('matches', async () => {
    const { matches } = state;
    const before = cursor && matches && !hasFailed(matches) ? matches.rows : [];
    const query = new URLSearchParams({ limit: String(atOnce), minScore: '1', ...(cursor && { cursor }) });
    const { body } = await read(`${row.links.self}/matches?${query}`);
    const rows = [...before, ...((body.matches ?? []) as FoundMatch[])];
    learnNames(rows.map((match) => match[other.name] as PageRecord));
    const none = /minScore/.test(body.message) ? 'None fits.' : body.message;
    return { rows, next: body.nextCursor, words: rows.length === 0 ? none : (body.statement ?? '') };
  });

/** Loads the best matches of a record. */
export function loadMatches(shown: OpenedRecord): void {
  const tie = findPairing(shown.kind);
  if (tie) readMatches(shown, tie);
}

function viewRead(shown: OpenedRecord, tie: Pairing): unknown {
  const more = (cursor?: string) => readMatches(shown, tie, cursor);
  return viewLoaded(
    state.matches,
    () => more(),
    ({ rows, next, words }) =>
      html`<ol class="plain matches">${rows.map((match) => viewMatch(shown, tie, match))}</ol>
        ${next ? html`<p class="actions">${button('Show more', () => more(next))}</p>` : ''}
        <p class="note">${words}</p>`,
  );
}

/** Shows who fits an order, or which orders fit a person. The matches are read when the person opens this part. */
export function viewMatches(shown: OpenedRecord): unknown {
  const tie = findPairing(shown.kind);
  if (!tie) return '';
  if (shown.kind.name === 'jobOrder')
    return html`<section class="matching" aria-labelledby="matching-name">
      <h3 id="matching-name" tabindex="-1">Which ${tie.other.plural} fit</h3>${viewRead(shown, tie)}
    </section>`;
  const open = ({ currentTarget }: Event) => {
    if ((currentTarget as HTMLDetailsElement).open && !state.matches) readMatches(shown, tie);
  };
  const { id, revision } = shown.row;
  return keyed(
    `${id} ${revision}`,
    html`<details class="matching" @toggle=${open}>
      <summary><h3 id="matching-name" tabindex="-1">Which ${tie.other.plural} fit</h3></summary>
      ${viewRead(shown, tie)}
    </details>`,
  );
}
