import { html } from 'lit-html';
import { toMoment } from '../format.ts';
import { attempt, button, mayReplace, showLink } from './dialog.ts';
import type { Shown } from './model.ts';
import { write } from './session.ts';
import { refresh } from './store.ts';

/** Makes the link on which the client decides, and shows it; one that is out is replaced only after a question. */
async function share({ row }: Shown, out?: string): Promise<void> {
  if (!(await mayReplace('The client', out))) return;
  const { body } = await write('POST', `${row.links.self}/shortlist`, { replace: out !== undefined });
  const { url, expiresAt } = body.shortlist as { url: string; expiresAt: string };
  await showLink(
    'Send this link to the client',
    `The people who open it see who is proposed, without pay or notes, and ask for an interview or decline. It is shown this once, and is valid until ${toMoment(expiresAt)}.`,
    'Link to the shortlist',
    url,
  );
  await refresh();
}

/** The shortlist of an order: who has it, and a button that shares it where somebody is proposed. */
export function viewShare(shown: Shown): unknown {
  const { proposals, shortlist, example } = shown.row as Shown['row'] & {
    proposals?: number;
    shortlist?: { expiresAt: string };
  };
  if (example || !proposals) return '';
  const out = shortlist?.expiresAt;
  const words = out ? 'Replace the client’s link' : 'Share the shortlist';
  return html`<section class="outcome" aria-label="Shortlist">
    <p>${out ? `The client has a link to the shortlist until ${toMoment(out)}.` : 'Let the client decide on those who are proposed.'}</p>
    <p class="actions">${button(words, () => attempt(() => share(shown, out)), out ? 'quiet' : '')}</p>
  </section>`;
}
