import { el } from '../dom.ts';
import { toCount } from '../numbers.ts';
import { read, write } from './ask.ts';
import type { Shown } from './change.ts';
import { facts, learnNames, refresh, toKind } from './desk.ts';
import { askPerson, button } from './dialog.ts';
import type { KindFacts, Row } from './facts.ts';
import { drawForm } from './form.ts';
import { toRowTitle } from './row.ts';
import { say } from './say.ts';
import { drawBar } from './svg.ts';

interface Match {
  score: number;
  reasons: { factor: string; points: number; text: string }[];
  gaps: string[];
  [other: string]: unknown;
}

const atOnce = 5;

/** The kind at the other end of what ties two records together, and what ties them. */
function toOther(kind: KindFacts): { tie: KindFacts; other: KindFacts } | undefined {
  for (const tie of facts.kinds) {
    const ends = Object.values(tie.references);
    const other = ends.find((name) => name !== kind.name);
    if (ends.includes(kind.name) && other) return { tie, other: toKind(other) };
  }
  return undefined;
}

/** Asks for what a placement needs beside its two ends, and makes it. */
async function placeThem(tie: KindFacts, ends: readonly { kind: KindFacts; row: Row }[]): Promise<void> {
  const ids = Object.fromEntries(
    Object.entries(tie.references).map(([member, of]) => [
      member,
      ends.find(({ kind }) => kind.name === of)!.row.id,
    ]),
  );
  const fields = tie.fields.filter(({ name }) => !(name in ids));
  const onetCode = ends.find(({ kind }) => kind.name === 'jobOrder')?.row.onetCode;
  await askPerson<void>(
    `A ${tie.noun}: ${ends.map(({ kind, row }) => toRowTitle(kind, row)).join(' and ')}`,
    (leave) => [
      drawForm({
        fields,
        values: { onetCode },
        submit: 'Place',
        leave,
        async run(values) {
          const { body } = await write('POST', tie.path, { ...ids, ...values });
          const warnings = (body.warnings ?? []) as { message: string }[];
          leave();
          location.hash = body[tie.name].id;
          await refresh();
          say(
            ['Placed.', ...warnings.map(({ message }) => message)].join(' '),
            warnings.length > 0 ? 'blocked' : 'ok',
          );
        },
      }),
    ],
  );
}

/** One match: its score as a bar of what adds up to it, and the reasons in words. */
function drawMatch(
  shown: Shown,
  { tie, other }: { tie: KindFacts; other: KindFacts },
  match: Match,
): HTMLElement {
  const row = match[other.name] as Row;
  const { score, reasons, gaps } = match;
  const parts = reasons.map(({ factor, points }) => ({ part: points / 100, class: `of-${factor}` }));
  const ends = [shown, { kind: other, row }];
  return el(
    'li',
    { class: 'match' },
    el(
      'p',
      { class: 'record-name' },
      el('a', { href: `#${row.id}`, dir: 'auto' }, toRowTitle(other, row)),
      ' ',
      el('span', { class: 'note' }, row.example ? 'public example' : ''),
    ),
    el('div', { class: 'score' }, el('strong', {}, `${toCount(score)} of 100`), drawBar(parts, 14)),
    el(
      'ul',
      { class: 'plain reasons' },
      ...reasons.map(({ factor, points, text }) =>
        el(
          'li',
          {},
          el('span', { class: `swatch of-${factor}` }),
          el('strong', {}, `${toCount(points)} of ${facts.points[factor]}, ${factor}: `),
          text,
        ),
      ),
      ...gaps.map((text) => el('li', { class: 'gap' }, el('span', { class: 'swatch' }), text)),
    ),
    el(
      'p',
      { class: 'actions' },
      button('Place', () => placeThem(tie, ends), 'quiet', `place-${row.id}`),
    ),
  );
}

async function fill(
  list: HTMLElement,
  shown: Shown,
  ties: { tie: KindFacts; other: KindFacts },
  more = '',
): Promise<void> {
  try {
    const { body } = await read(`${shown.row.links.self}/matches?limit=${atOnce}&minScore=1${more}`);
    const matches = (body.matches ?? []) as Match[];
    learnNames(matches.map((match) => match[ties.other.name] as Row));
    const rows = matches.map((match) => drawMatch(shown, ties, match));
    list.querySelector('[data-more]')?.remove();
    if (matches.length === 0)
      list.append(el('p', { class: 'note' }, /minScore/.test(body.message) ? 'None fits.' : body.message));
    else list.append(el('ol', { class: 'plain matches' }, ...rows));
    if (!body.nextCursor) return;
    const next = button('Show more', () =>
      fill(list, shown, ties, `&cursor=${encodeURIComponent(body.nextCursor)}`),
    );
    list.append(el('p', { class: 'actions', 'data-more': true }, next));
    if (more === '') list.append(el('p', { class: 'note' }, body.statement));
  } catch (error) {
    list.append(el('p', { class: 'verdict is-blocked' }, (error as Error).message));
  }
}

/** Who fits an order, or which orders fit a person; read when it is opened. */
export function drawMatches(shown: Shown): HTMLElement {
  const ties = toOther(shown.kind);
  if (!ties) return el('div');
  const list = el('div');
  const details = el(
    'details',
    { class: 'matching' },
    el('summary', { 'data-key': 'matches' }, el('h3', {}, `Which ${ties.other.plural} fit`)),
    list,
  );
  details.addEventListener('toggle', () => fill(list, shown, ties), { once: true });
  return details;
}
