import { html } from 'lit-html';
import { Refused } from '../api-client.ts';
import { toDate, toDay, toMoment } from '../format.ts';
import { meanings } from '../meanings.ts';
import { courseDays, nextWords, toCourse } from './course.ts';
import { askForm, askPerson, attempt, button, copyButton, mayReplace, showLink, toast } from './dialog.ts';
import type { Placement, Shown } from './model.ts';
import { sendChange } from './record-actions.ts';
import { read, write } from './session.ts';
import { facts, refresh } from './store.ts';

const stateOutcome = (shown: Shown) =>
  askForm('How did it go?', {
    note: 'The other side is asked to agree with this. A new statement voids the answers so far.',
    fields: facts.outcome,
    values: { asOf: toDay() },
    submit: 'State it',
    hints: { result: 'What is true on the day below.' },
    choiceWords: meanings,
    async run(values) {
      const path = `${shown.row.links.self}/outcome`;
      const isDone = await sendChange(shown, (tag) => write('POST', path, values, tag), values);
      toast(isDone ? 'Stated. Now ask the other side to confirm it.' : 'Nothing was changed.');
    },
  });

/** Makes a link for a party, and shows it; one that is out is replaced only after a question. */
async function requestConfirmation({ row }: Shown, party: string, out?: string): Promise<void> {
  if (!(await mayReplace(`The ${party}`, out))) return;
  const { body } = await write('POST', `${row.links.self}/confirmations`, { party });
  const { url, expiresAt } = body.confirmation as { url: string; expiresAt: string };
  await showLink(
    `Send this link to the ${party}`,
    `The person who opens it reads what is stated, and agrees or disagrees. It is shown this once, answers each statement once, and is for that side alone. It is valid until ${toMoment(expiresAt)}.`,
    `Link for the ${party}`,
    url,
  );
  await refresh();
}

/** Shows the receipt, to be kept and to be checked. */
async function showReceipt({ row }: Shown): Promise<void> {
  const { body } = await read(`${row.links.self}/receipt`);
  const { receipt } = body as { receipt: string };
  const file = URL.createObjectURL(new Blob([receipt], { type: 'application/jose' }));
  await askPerson<void>(
    'The receipt',
    (
      answer,
    ) => html`<p>Signed here, and yours to keep: it outlives the workspace, names nobody, and anyone can
        check it.</p>
      <textarea readonly rows="5" class="mono" aria-label="Receipt" .value=${receipt}></textarea>
      <p class="actions">
        <a class="button" href=${`/receipt.html#${receipt}`}>Check it</a>
        <a class="button quiet" href=${file} download=${`receipt-${row.id}.jws`}>Download</a>
        ${copyButton('Copy', receipt)}${button('Done', () => answer())}
      </p>`,
  );
  URL.revokeObjectURL(file);
}

const toReceiptWords = (error: Error) =>
  error instanceof Refused && error.code === 'not_live'
    ? 'There are no receipts here: nothing is signed in a preview.'
    : error.message;

/** The outcome of a placement: what is stated and answered, and what can be done next. */
export function viewOutcome(shown: Shown, row: Placement) {
  const { outcome, example } = row;
  const { result, asOf, day, validateBy, validated, confirmations, pending = [] } = outcome;
  const next = example ? undefined : toCourse(row, toDay()).next;
  const canState = next === 'state' || next === 'ask' || next === 'restate';
  const missing =
    next === 'ask' ? facts.parties.filter((one) => !confirmations.some(({ party }) => party === one)) : [];
  const words =
    result === 'pending'
      ? 'Nobody has stated yet how it went.'
      : `${meanings[result]} As of ${asOf ? `${toDate(asOf)}, day ${day} of ${courseDays}` : `its first ${courseDays} days`}.`;
  const by = validateBy && !validated ? ` To be validated by the end of ${toDate(validateBy)}.` : '';
  const stateWords = result === 'pending' ? 'State the outcome' : 'State it again';
  return html`<section class="outcome" aria-label="Outcome">
    <h3>Outcome</h3>
    <p>${words}${by}</p>
    ${pending.map(({ party, expiresAt }) => html`<p class="note">The ${party} has a link until ${toMoment(expiresAt)}.</p>`)}
    ${next ? html`<p class="note">Next: ${nextWords[next].toLowerCase()}.</p>` : ''}
    <p class="actions">
      ${canState ? button(stateWords, () => stateOutcome(shown), next === 'ask' ? 'quiet' : '') : ''}
      ${missing.map((party, index) => {
        const out = pending.find((one) => one.party === party)?.expiresAt;
        const ask = () => attempt(() => requestConfirmation(shown, party, out));
        return button(
          out ? `Replace the ${party}’s link` : `Ask the ${party} to confirm`,
          ask,
          index === 0 ? '' : 'quiet',
        );
      })}
      ${
        validated && !example
          ? button('Show the receipt', () => attempt(() => showReceipt(shown), toReceiptWords), '')
          : ''
      }
    </p>
  </section>`;
}
