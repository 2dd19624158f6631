import { html, type TemplateResult } from 'lit-html';

export interface MenuItem {
  words: unknown;
  run(): unknown;
  /** A second CSS class. */
  tone?: string;
}

const findMenu = (event: Event) => (event.currentTarget as Element).closest('details')!;

function close(menu: HTMLDetailsElement): void {
  const hasFocus = menu.contains(document.activeElement);
  menu.open = false;
  if (hasFocus) menu.querySelector('summary')!.focus();
}

function onKey(event: KeyboardEvent): void {
  const menu = findMenu(event);
  if (event.key !== 'Escape' || !menu.open) return;
  event.stopPropagation();
  close(menu);
}

function onFocusOut(event: FocusEvent): void {
  const menu = findMenu(event);
  if (event.relatedTarget && !menu.contains(event.relatedTarget as Node)) menu.open = false;
}

/** The list of a menu can be this wide, in pixels. */
const listWidth = 224;

/** Has the list begin at the start of the button if the window has no room for it before the end of the button. */
function chooseSide(event: Event): void {
  const menu = findMenu(event);
  menu.classList.toggle('is-start', menu.getBoundingClientRect().right < listWidth);
}

/** Shows a button that opens a list of actions. Escape, another place on the page, and an action close it. */
export function viewMenu(words: unknown, items: readonly MenuItem[]): TemplateResult {
  const run = (event: Event, item: MenuItem) => {
    close(findMenu(event));
    item.run();
  };
  return html`<details class="menu" @keydown=${onKey} @focusout=${onFocusOut}>
    <summary class="button quiet" @click=${chooseSide}>${words}</summary>
    <ul class="plain">${items.map(
      (item) =>
        html`<li><button type="button" class=${item.tone ?? ''} @click=${(event: Event) => run(event, item)}>${item.words}</button></li>`,
    )}</ul>
  </details>`;
}

/** Closes the open menu when the person clicks elsewhere. */
export function closeMenusOutside({ target }: MouseEvent): void {
  for (const menu of document.querySelectorAll<HTMLDetailsElement>('details.menu[open]'))
    if (!menu.contains(target as Node)) menu.open = false;
}
