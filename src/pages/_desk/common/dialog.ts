import { html, render } from 'lit-html';
import { copyButton } from '../../_scripts/dom.ts';
import { button } from './parts.ts';

/**
 * Asks the person something in a dialog. The content closes it with an answer. Resolves with the answer, or with
 * undefined if the person cancels. `leave`, if given, replaces what Escape does.
 */
export function askPerson<T>(
  title: unknown,
  content: (answer: (value?: T) => void) => unknown,
  leave?: () => unknown,
): Promise<T | undefined> {
  return new Promise((resolve) => {
    const dialog = document.createElement('dialog');
    let given: T | undefined;
    const answer = (value?: T) => {
      given = value;
      dialog.close();
    };
    render(html`<h2 tabindex="-1">${title}</h2>${content(answer)}`, dialog);
    dialog.setAttribute('aria-label', dialog.querySelector('h2')!.textContent);
    dialog.addEventListener('cancel', (event) => {
      if (!leave) return;
      event.preventDefault();
      leave();
    });
    dialog.addEventListener('close', () => {
      dialog.remove();
      resolve(given);
    });
    // Back in the browser leads to another page, which the dialog is not about.
    const closeIt = () => dialog.close();
    addEventListener('hashchange', closeIt);
    dialog.addEventListener('close', () => removeEventListener('hashchange', closeIt));
    document.body.append(dialog);
    dialog.showModal();
    // Enter would otherwise confirm at once.
    if (document.activeElement instanceof HTMLButtonElement) dialog.querySelector('h2')!.focus();
  });
}

/** Asks the person to confirm an action. */
export const askSure = (title: string, words: string, yes: string, tone = 'stop') =>
  askPerson<true>(
    title,
    (answer) => html`<p>${words}</p>
      <p class="actions">${button(yes, () => answer(true), tone)}${button('Cancel', () => answer())}</p>`,
  );

/** A button that copies a text. If the browser refuses that, it selects the text in the field before it. */
export const viewCopy = (words: string, text: string): HTMLButtonElement =>
  copyButton(
    words,
    'button quiet',
    () => text,
    (pressed) => pressed.closest('dialog')!.querySelector<HTMLInputElement>('[readonly]')?.select(),
  );
