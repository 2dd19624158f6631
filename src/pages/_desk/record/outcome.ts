import { html } from 'lit-html';
import { ApiError } from '../../_scripts/api-client.ts';
import { timeOf } from '../../_scripts/dom.ts';
import { dayFromNow, formatDate, formatDateTime, formatGuaranteeDay } from '../../_scripts/format.ts';
import { isolate } from '../../_scripts/isolate.ts';
import { meanings } from '../../_scripts/meanings.ts';
import { describeCourse, nextWords } from '../common/course.ts';
import { askPerson, askSure, viewCopy } from '../common/dialog.ts';
import { askForm } from '../common/form-dialog.ts';
import { button } from '../common/parts.ts';
import { attempt, toast } from '../common/toast.ts';
import { read, sendWrite } from '../state/client.ts';
import { refresh } from '../state/load.ts';
import type { NamedPlacement, OpenedRecord, Placement } from '../state/model.ts';
import { facts } from '../state/page-facts.ts';
import { sendChange } from './change.ts';
import { describeSubject } from './questions.ts';

interface Handout {
  /** Who gets the link: `client`. */
  to: string;
  /** When the current link expires. If there is one, the person must confirm that it is replaced. */
  out: string | undefined;
  path: string;
  body: object;
  /** The member of the reply that has the link. */
  member: string;
  label: string;
  words: string;
}

/** Draws the QR code of a link. Returns undefined if no phone can open the link, or the code cannot be drawn now. */
async function loadQrCode(url: string): Promise<unknown> {
  if (document.documentElement.dataset.service === 'browser') return undefined;
  const qr = await import('./qr.ts').catch(() => undefined);
  return qr?.viewQrCode(url);
}

/** Creates a link for a party, and shows it once. */
export async function handOut({ to, out, path, body, member, label, words }: Handout): Promise<void> {
  const works = `The ${to} has a link that works until ${out && formatDateTime(out)}. It stops working at once, and you send the new one.`;
  if (out && !(await askSure('Replace the link?', works, 'Replace it'))) return;
  const { url, expiresAt } = (await sendWrite('POST', path, body)).body[member] as Record<string, string>;
  const qrCode = await loadQrCode(url!);
  await askPerson<void>(
    `Send this link to the ${to}`,
    (answer) => html`<p>${words} It is valid until ${timeOf(expiresAt!)}.</p>
      <input type="text" readonly .value=${url} aria-label=${label} />
      ${qrCode}
      <p class="actions">${viewCopy('Copy the link', url!)}${button('Done', () => answer())}</p>`,
  );
  await refresh();
}

/** What the fields of a statement mean, in words for a person. */
const outcomeHints = {
  result: 'What is true on the day below.',
  asOf: 'From the first day of work to today. If the work has ended, its last day.',
  endReason: 'Only if the person was no longer in the placement.',
  note: 'For you alone. The other side does not see it.',
};

/** Asks how a placement went, and states it. */
export const askOutcome = (shown: OpenedRecord) =>
  askForm(html`How did it go: ${isolate(describeSubject(shown.row as NamedPlacement))}?`, {
    note: 'Nobody is emailed. You then send each side a link to agree with this. A new statement voids the answers so far.',
    fields: facts.outcome,
    values: { asOf: dayFromNow() },
    submit: 'State it',
    hints: outcomeHints,
    choiceWords: meanings,
    async run(values) {
      const path = `${shown.row.links.self}/outcome`;
      const isDone = await sendChange(shown, (tag) => sendWrite('POST', path, values, tag), values);
      const who = (shown.row as NamedPlacement).candidateName ?? 'The placement';
      toast(isDone ? `${who}: stated. Now ask the other side to confirm it.` : 'Nothing was changed.');
    },
  });

/** Creates the link of a party, which agrees or disagrees with what is stated. `out` is when its current link expires. */
export const askToConfirm = ({ row }: OpenedRecord, party: string, out?: string) =>
  handOut({
    to: party,
    out,
    path: `${row.links.self}/confirmations`,
    body: { party },
    member: 'confirmation',
    label: `Link for the ${party}`,
    words:
      'The person who opens it reads what is stated, and agrees or disagrees. It is shown this once, answers each statement once, and is for that side alone.',
  });

/** Opens the page that checks the receipt and shows it as a certificate. Back leads to the desk. */
async function openReceipt({ row }: OpenedRecord): Promise<void> {
  const { receipt } = (await read(`${row.links.self}/receipt`)).body as { receipt: string };
  location.assign(`/receipt.html#${receipt}`);
}

const explainReceiptError = (error: Error) =>
  error instanceof ApiError && error.code === 'not_live'
    ? 'There are no receipts here: nothing is signed in a preview.'
    : error.message;

/** Says until when both sides can agree, or that this day is over. */
const describeDeadline = (validateBy: string): string =>
  validateBy < dayFromNow()
    ? `It lapsed: it was to be validated by ${formatDate(validateBy)}.`
    : `To be validated by the end of ${formatDate(validateBy)}.`;

/** Shows the outcome of a placement: the statement, the answers, and what can be done next. */
export function viewOutcome(shown: OpenedRecord, row: Placement) {
  const { outcome, example, guaranteeDays } = row;
  const { result, asOf, day, validateBy, validated, confirmations, pending = [] } = outcome;
  const next = example ? undefined : describeCourse(row, dayFromNow()).next;
  const canState = next === 'state' || next === 'ask' || next === 'restate';
  const missing =
    next === 'ask' ? facts.parties.filter((name) => !confirmations.some(({ party }) => party === name)) : [];
  const since = asOf
    ? `${formatDate(asOf)}, ${formatGuaranteeDay(day ?? 0, guaranteeDays)}`
    : `its first ${guaranteeDays} days`;
  const isPending = result === 'pending';
  const words = isPending ? 'Nobody has stated yet how it went.' : `${meanings[result]} As of ${since}.`;
  const by = validateBy && !validated ? ` ${describeDeadline(validateBy)}` : '';
  const stateWords = isPending ? 'State the outcome' : 'State it again';
  const viewAsk = (party: string, index: number) => {
    const out = pending.find((confirmation) => confirmation.party === party)?.expiresAt;
    const ask = () => attempt(() => askToConfirm(shown, party, out));
    const askWords = out ? `Replace the ${party}’s link` : `Ask the ${party} to confirm`;
    return button(askWords, ask, index === 0 ? '' : 'quiet');
  };
  const show = () => attempt(() => openReceipt(shown), explainReceiptError);
  return html`<section class="outcome flow" aria-label="Outcome">
    <h3>Outcome</h3>
    <p>${words}${by}</p>
    ${pending.map(({ party, expiresAt }) => html`<p class="note">The ${party} has a link until ${timeOf(expiresAt)}.</p>`)}
    ${next ? html`<p class="note">Next: ${nextWords[next].toLowerCase()}.</p>` : ''}
    <p class="actions">
      ${canState ? button(stateWords, () => askOutcome(shown), next === 'ask' ? 'quiet' : '') : ''}
      ${missing.map(viewAsk)}
      ${validated && !example ? button('Show the receipt', show, '') : ''}
    </p>
  </section>`;
}
