import { el } from '../dom.ts';
import { meanings } from '../meanings.ts';
import { Refused, read, write } from './ask.ts';
import { type Shown, sendChange } from './change.ts';
import { nextWords, toCourse } from './course.ts';
import { facts, refresh, toToday } from './desk.ts';
import { askPerson, button, copyButton } from './dialog.ts';
import type { Placement } from './facts.ts';
import { drawForm } from './form.ts';
import { toMoment } from './glance.ts';
import { say } from './say.ts';

async function state(shown: Shown): Promise<void> {
  const { row } = shown;
  await askPerson<void>('How did it go?', (leave) => [
    el(
      'p',
      { class: 'note' },
      'The other side is asked to agree with this. Stating it anew voids what was answered.',
    ),
    drawForm({
      fields: facts.outcome,
      values: { asOf: toToday() },
      submit: 'State it',
      leave,
      hints: { result: 'What is true on the day below.' },
      choiceWords: meanings,
      async run(values) {
        const send = (tag?: string) => write('POST', `${row.links.self}/outcome`, values, tag);
        const isDone = await sendChange(shown, send, values);
        leave();
        say(isDone ? 'Stated. Now ask the other side to confirm it.' : 'Left as it is now.');
      },
    }),
  ]);
}

/** Shows the link that a party answers by; it is told this once. */
function showLink(party: string, { url, expiresAt }: { url: string; expiresAt: string }) {
  const line = el('input', {
    type: 'text',
    readonly: true,
    value: url,
    'aria-label': `Link for the ${party}`,
  });
  return askPerson<void>(`Send this link to the ${party}`, (leave) => [
    el(
      'p',
      {},
      'Whoever opens it reads what is stated, and agrees or disagrees. It is shown this once, works once, and is for that side alone.',
    ),
    line,
    el(
      'p',
      { class: 'note' },
      `It holds until ${toMoment(expiresAt)}. A new link takes the place of this one.`,
    ),
    el(
      'p',
      { class: 'actions' },
      copyButton('Copy the link', () => url, line),
      button('Done', () => leave()),
    ),
  ]);
}

async function ask({ row }: Shown, party: string): Promise<void> {
  try {
    const { body } = await write('POST', `${row.links.self}/confirmations`, { party });
    await showLink(party, body.confirmation);
    await refresh();
  } catch (error) {
    say((error as Error).message, 'blocked');
  }
}

/** Reads the receipt and offers it, to be kept and to be checked. */
async function showReceipt({ row }: Shown): Promise<void> {
  try {
    const { body } = await read(`${row.links.self}/receipt`);
    const text = el('textarea', { readonly: true, rows: 5, class: 'mono', 'aria-label': 'Receipt' });
    text.value = body.receipt;
    const file = new Blob([body.receipt], { type: 'application/jose' });
    const href = URL.createObjectURL(file);
    await askPerson<void>('The receipt', (leave) => [
      el(
        'p',
        {},
        'Signed here, and for you to keep: it outlives the workspace, names nobody, and anyone can check it.',
      ),
      text,
      el(
        'p',
        { class: 'actions' },
        el('a', { class: 'button', href: `/receipt.html#${body.receipt}` }, 'Check it'),
        el('a', { class: 'button quiet', href, download: `receipt-${row.id}.jws` }, 'Download'),
        copyButton('Copy', () => body.receipt),
        button('Done', () => leave()),
      ),
    ]);
    URL.revokeObjectURL(href);
  } catch (error) {
    const isAway = error instanceof Refused && error.code === 'not_live';
    say(
      isAway ? 'There are no receipts here: nothing is signed in a preview.' : (error as Error).message,
      'blocked',
    );
  }
}

/** The outcome of a placement: what is stated and answered, and what can be done next. */
export function drawOutcome(shown: Shown): HTMLElement {
  const row = shown.row as Placement;
  const { outcome, example } = row;
  const { next } = toCourse(row, toToday());
  const canState = !example && (next === 'state' || next === 'ask' || next === 'restate');
  const canAsk = !example && next === 'ask';
  const missing = facts.parties.filter((party) => !outcome.confirmations.some((one) => one.party === party));
  const isStated = outcome.result !== 'pending';
  const words = isStated
    ? `${meanings[outcome.result as keyof typeof meanings]} As of ${outcome.asOf ?? 'its first 90 days'}.`
    : 'Nobody has said yet how it went.';
  const by =
    outcome.validateBy && !outcome.validated ? ` To be validated by the end of ${outcome.validateBy}.` : '';
  return el(
    'section',
    { class: 'outcome', 'aria-label': 'Outcome' },
    el('h3', {}, 'Outcome'),
    el('p', {}, `${words}${by}`),
    next && !example ? el('p', { class: 'note' }, `Next: ${nextWords[next].toLowerCase()}.`) : '',
    el(
      'p',
      { class: 'actions' },
      canState
        ? button(
            isStated ? 'State it anew' : 'State the outcome',
            () => state(shown),
            next === 'ask' ? 'quiet' : '',
            'state',
          )
        : '',
      ...(canAsk ? missing : []).map((party, index) =>
        button(
          `Ask the ${party} to confirm`,
          () => ask(shown, party),
          index === 0 ? '' : 'quiet',
          `ask-${party}`,
        ),
      ),
      outcome.validated && !example
        ? button('Show the receipt', () => showReceipt(shown), '', 'receipt')
        : '',
    ),
  );
}
