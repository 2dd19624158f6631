import { el } from '../dom.ts';
import { Refused, read, type Told, write } from './ask.ts';
import { refresh } from './desk.ts';
import { askPerson, button } from './dialog.ts';
import { toDifferences, toText } from './differences.ts';
import type { KindFacts, Row } from './facts.ts';

/** A record as the person sees it, and the tag of that version. */
export interface Shown {
  kind: KindFacts;
  row: Row;
  tag: string | undefined;
}

/** Shows what somebody else changed, and asks whether the person's own change is to be made all the same. */
function askOver(was: Row, now: Row, patch: Record<string, unknown>): Promise<true | undefined> {
  const rows = toDifferences(was, now).map(({ name, was: before, now: after }) =>
    el(
      'tr',
      {},
      el('th', { scope: 'row' }, name),
      el('td', { dir: 'auto' }, before),
      el('td', { dir: 'auto' }, after),
      el('td', { dir: 'auto' }, name in patch ? toText(patch[name]) : 'as it is now'),
    ),
  );
  const heads = ['What', 'When you opened it', 'Now', 'Yours'].map((text) =>
    el('th', { scope: 'col' }, text),
  );
  return askPerson<true>('Changed by somebody else meanwhile', (answer) => [
    el('p', {}, 'Nothing of yours was saved yet. This is what is different now:'),
    rows.length > 0
      ? el(
          'div',
          { class: 'scroll', tabindex: 0, role: 'group', 'aria-label': 'What is different' },
          el('table', {}, el('thead', {}, el('tr', {}, ...heads)), el('tbody', {}, ...rows)),
        )
      : el('p', {}, 'It was saved anew, with the same content.'),
    el(
      'p',
      { class: 'actions' },
      button('Save mine over it', () => answer(true), ''),
      button('Leave it as it is now', () => answer()),
    ),
  ]);
}

/**
 * Sends a change of what the person sees. Where it is another version by then, the person sees what changed and is
 * asked. Resolves with the answer, or with undefined where the person leaves it; throws Refused otherwise.
 */
export async function sendChange(
  shown: Shown,
  send: (tag?: string) => Promise<Told>,
  patch: Record<string, unknown>,
): Promise<Told | undefined> {
  let { row, tag } = shown;
  for (;;) {
    try {
      const told = await send(tag);
      await refresh();
      return told;
    } catch (error) {
      if (!(error instanceof Refused && error.status === 412)) throw error;
      const { body, tag: fresh } = await read(row.links.self);
      const now = body[shown.kind.name] as Row;
      if (!(await askOver(row, now, patch))) {
        await refresh();
        return undefined;
      }
      [row, tag] = [now, fresh];
    }
  }
}

/** Changes members or the status of a record, as `sendChange` does. */
export const patchRecord = (shown: Shown, patch: Record<string, unknown>) =>
  sendChange(shown, (tag) => write('PATCH', shown.row.links.self, patch, tag), patch);
