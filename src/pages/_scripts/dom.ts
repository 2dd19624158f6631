import { formatDateTime } from './format.ts';

type Child = Node | string | undefined | false;

/** Creates an element. An attribute that is `true` becomes empty, and one that is false or undefined is left out. */
export function el<T extends keyof HTMLElementTagNameMap>(
  tag: T,
  attributes: Record<string, string | number | boolean | undefined> = {},
  ...children: Child[]
): HTMLElementTagNameMap[T] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== undefined && value !== false)
      element.setAttribute(name, value === true ? '' : String(value));
  }
  element.append(
    ...children.filter((child): child is Node | string => child !== undefined && child !== false),
  );
  return element;
}

/** Creates a button that looks like a link. */
export function actionButton(words: string, run: () => unknown): HTMLButtonElement {
  const button = el('button', { type: 'button', class: 'link' }, words);
  button.addEventListener('click', run);
  return button;
}

/** Creates a time element in the reader's time zone. Its tooltip has the time in UTC. */
export const timeOf = (at: string) =>
  el('time', { datetime: at, title: formatDateTime(at, 'UTC') }, formatDateTime(at));

/** Returns an element that a page must have. Throws if it is missing. */
export function need<T extends Element>(root: ParentNode, selector: string): T {
  const found = root.querySelector<T>(selector);
  if (!found) throw new Error(`The page has no ${selector}.`);
  return found;
}

/** Shows the verdict of a page in a tone. */
export function showVerdict(place: HTMLElement, tone?: 'ok' | 'blocked', ...words: (Node | string)[]): void {
  place.className = tone ? `verdict is-${tone}` : 'verdict';
  place.replaceChildren(...words);
}

/** Shows names and values in a list, or hides the list if it is empty. Each value is isolated. */
export function showFacts(list: HTMLElement, rows: readonly (readonly [string, Node | string])[]): void {
  const drawn = rows.map(([name, value]) =>
    el('div', {}, el('dt', {}, name), el('dd', {}, el('bdi', {}, value))),
  );
  list.replaceChildren(...drawn);
  list.hidden = rows.length === 0;
}

/** Creates a button that copies a text. If the browser refuses that, it calls `select` to select the text instead. */
export function copyButton(
  words: string,
  tone: string,
  getText: () => string,
  select: (button: HTMLButtonElement) => unknown,
): HTMLButtonElement {
  const button = el('button', { type: 'button', class: tone }, words);
  button.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(getText());
      button.textContent = 'Copied';
      setTimeout(() => (button.textContent = words), 2000);
    } catch {
      select(button);
    }
  });
  return button;
}

/** Puts a code block into a box, below a bar with a button that copies it. Returns the box. It may be there already. */
export function withCopy(block: HTMLElement): HTMLElement {
  const box = block.closest<HTMLElement>('.copyable') ?? el('div', { class: 'copyable' });
  const bar = box.querySelector('.code-bar') ?? el('p', { class: 'code-bar' });
  if (!box.contains(block)) {
    block.replaceWith(box);
    box.append(bar, block);
  }
  const getText = () => block.textContent!.trimEnd();
  bar.append(copyButton('Copy', 'copy', getText, () => getSelection()?.selectAllChildren(block)));
  return box;
}
