import { html } from 'lit-html';
import { type ApiAnswer, ApiError } from '../../_scripts/api-client.ts';
import { listIssues } from '../../_scripts/form/issues.ts';
import type { FormValues } from '../../_scripts/form/values.ts';
import { formatDatesIn, toSentenceCase } from '../../_scripts/format.ts';
import { isolate } from '../../_scripts/isolate.ts';
import { askPerson } from '../common/dialog.ts';
import { button } from '../common/parts.ts';
import { patchStrictly, read, sendWrite } from '../state/client.ts';
import { refresh } from '../state/load.ts';
import type { KindFacts, OpenedRecord, PageRecord } from '../state/model.ts';
import { formatFieldValue, listDifferences } from './versions.ts';

/** Reads the present version of a record, to change it. */
export async function openRecord(kind: KindFacts, id: string): Promise<OpenedRecord> {
  const { body, tag } = await read(`${kind.path}/${id}`);
  return { kind, row: body[kind.name] as PageRecord, tag };
}

/** Shows what another caller changed, and asks whether to make the person's change anyway. */
function askOver(was: PageRecord, now: PageRecord, patch: FormValues): Promise<true | undefined> {
  const rows = listDifferences(was, now).map(
    ({ name, was: before, now: after }) => html`<tr>
      <th scope="row">${name}</th>
      <td dir="auto">${before}</td><td dir="auto">${after}</td>
      <td dir="auto">${name in patch ? formatFieldValue(patch[name]) : 'as it is now'}</td>
    </tr>`,
  );
  const heads = ['What', 'When you opened it', 'Now', 'Yours'].map(
    (text) => html`<th scope="col">${text}</th>`,
  );
  return askPerson<true>(
    'Changed by somebody else meanwhile',
    (answer) => html`<p>Your change is not saved yet. This is what is different now:</p>
      ${
        rows.length > 0
          ? html`<div class="scroll" tabindex="0" role="group" aria-label="What is different">
              <table><thead><tr>${heads}</tr></thead><tbody>${rows}</tbody></table>
            </div>`
          : html`<p>It was saved again, with the same content.</p>`
      }
      <p class="actions">
        ${button('Save mine over it', () => answer(true), '')}${button('Keep it as it is now', () => answer())}
      </p>`,
  );
}

/** Shows what speaks against a change that is not made yet, and asks whether to make it anyway. */
export const askDespite = (conflicts: readonly string[], title: unknown = 'Something speaks against it') =>
  askPerson<true>(
    title,
    (answer) => html`<p>Nothing is changed yet.</p>
      <ul class="refusals">${conflicts.map((text) => html`<li>${isolate(formatDatesIn(text))}</li>`)}</ul>
      <p class="actions">${button('Do it anyway', () => answer(true), '')}${button('Cancel', () => answer())}</p>`,
  );

/**
 * Sends a change to the version that the person sees. If there is a newer version, shows what changed and asks.
 * Resolves with whether the change was made. Throws an ApiError if the service refuses it.
 */
export async function sendChange(
  { kind, row: opened, tag: first }: OpenedRecord,
  send: (tag?: string) => Promise<ApiAnswer>,
  patch: FormValues,
): Promise<boolean> {
  let [row, tag] = [opened, first];
  for (;;) {
    try {
      await send(tag);
      await refresh();
      return true;
    } catch (error) {
      if (!(error instanceof ApiError && error.status === 412)) throw error;
      const fresh = await read(row.links.self);
      const now = fresh.body[kind.name] as PageRecord;
      if (!(await askOver(row, now, patch))) {
        await refresh();
        return false;
      }
      [row, tag] = [now, fresh.tag];
    }
  }
}

/**
 * Sends a merge patch unless the service warns of something. Then it shows what speaks against the change, and asks whether to
 * make it anyway. Resolves with whether it was made.
 */
export async function sendUnlessConflict(shown: OpenedRecord, patch: FormValues): Promise<boolean> {
  try {
    return await sendChange(shown, (tag) => patchStrictly(shown.row.links.self, patch, tag), patch);
  } catch (error) {
    if (!(error instanceof ApiError && error.code === 'conflict')) throw error;
    const conflicts = listIssues(error).map(({ message }) => toSentenceCase(message));
    return (await askDespite(conflicts)) ? sendPatch(shown, patch) : false;
  }
}

/** Sends a merge patch to the version that the person sees. Resolves with whether it was applied. */
export const sendPatch = (shown: OpenedRecord, patch: FormValues): Promise<boolean> =>
  sendChange(shown, (tag) => sendWrite('PATCH', shown.row.links.self, patch, tag), patch);
