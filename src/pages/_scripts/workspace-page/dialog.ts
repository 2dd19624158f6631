import { el } from '../dom.ts';

type Content = (Node | string)[];

/** How many dialogs there were: one may stand on another. */
let asked = 0;

/** Told on the document when the person is done with a dialog. */
export const dialogLeft = 'dialog-left';

/**
 * Asks the person something in a dialog. `fill` is given how to close it, with the answer. Resolves with that, or with
 * undefined where the person leaves it; whatever had the focus has it again.
 */
export function askPerson<T>(
  title: string,
  fill: (answer: (value?: T) => void) => Content,
): Promise<T | undefined> {
  return new Promise((resolve) => {
    let given: T | undefined;
    asked += 1;
    const id = `asked-${asked}`;
    const dialog = el('dialog', { class: 'asking-person', 'aria-labelledby': id });
    const answer = (value?: T) => {
      given = value;
      dialog.close();
    };
    dialog.append(el('h2', { id }, title), ...fill(answer));
    dialog.addEventListener('close', () => {
      dialog.remove();
      document.dispatchEvent(new Event(dialogLeft));
      resolve(given);
    });
    document.body.append(dialog);
    dialog.showModal();
  });
}

/** A button that does something; `tone` is a class beside `button`. */
export function button(words: string, run: () => unknown, tone = 'quiet', key?: string): HTMLButtonElement {
  const drawn = el('button', { type: 'button', class: `button ${tone}`, 'data-key': key }, words);
  drawn.addEventListener('click', run);
  return drawn;
}

/** Has the person read what is about to be done, and be sure of it; undefined where they are not. `tone` is that of the button that does it. */
export function askSure(title: string, words: string, yes: string, tone = 'stop'): Promise<true | undefined> {
  return askPerson<true>(title, (answer) => [
    el('p', {}, words),
    el(
      'p',
      { class: 'actions' },
      button(yes, () => answer(true), tone),
      button('Leave it', () => answer()),
    ),
  ]);
}

/** Draws `children` in a place anew; what had the focus there by its key has it again. */
export function redraw(place: HTMLElement, ...children: Content): void {
  const active = place.contains(document.activeElement) ? (document.activeElement as HTMLElement) : undefined;
  const { key } = active?.dataset ?? {};
  place.replaceChildren(...children);
  if (!active) return;
  const again = key && place.querySelector<HTMLElement>(`[data-key="${CSS.escape(key)}"]`);
  (again || place.querySelector<HTMLElement>('[tabindex="-1"]'))?.focus({ preventScroll: true });
}

/** Puts a text on the clipboard, and says so on the button; where that is refused, the text is chosen to be copied by hand. */
export function copyButton(words: string, text: () => string, beside?: HTMLInputElement): HTMLButtonElement {
  const drawn = button(words, async () => {
    try {
      await navigator.clipboard.writeText(text());
      drawn.textContent = 'Copied';
      setTimeout(() => (drawn.textContent = words), 2000);
    } catch {
      beside?.select();
    }
  });
  return drawn;
}
