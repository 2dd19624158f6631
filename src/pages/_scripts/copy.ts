import { el } from './dom.ts';

/** Puts a code block into a box with a button that copies it; where that is refused, the text is selected. Answers the box. */
export function withCopy(block: HTMLElement): HTMLElement {
  const button = el('button', { type: 'button', class: 'copy' }, 'Copy');
  button.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(block.textContent!.trimEnd());
      button.textContent = 'Copied';
      setTimeout(() => (button.textContent = 'Copy'), 2000);
    } catch {
      getSelection()?.selectAllChildren(block);
    }
  });
  const box = el('div', { class: 'copyable' });
  block.replaceWith(box);
  box.append(block, button);
  return box;
}
