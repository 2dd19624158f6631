import { callApi } from './api-client.ts';
import { el } from './dom.ts';

const waitMs = 200;

/** Offers the occupations that fit a title typed into the field of a code. Answers their list, to be put below it. */
export function offerCodes(input: HTMLInputElement): HTMLElement {
  const list = el('ul', { class: 'plain offered', 'aria-label': 'Occupations that fit' });
  let timer: ReturnType<typeof setTimeout> | undefined;
  const choose = (id: string) => {
    input.value = id;
    list.replaceChildren();
    input.focus();
  };
  const search = async () => {
    const q = input.value.trim();
    if (q.length < 2 || /^\d/.test(q)) return list.replaceChildren();
    const { body } = await callApi('GET', `/occupations?${new URLSearchParams({ q, limit: '5' })}`);
    if (input.value.trim() !== q) return;
    const hits = (body.occupations ?? []) as { id: string; title: string }[];
    const rows = hits.map(({ id, title }) => {
      const button = el('button', { type: 'button', class: 'link' }, `${title} ${id}`);
      button.addEventListener('click', () => choose(id));
      return el('li', {}, button);
    });
    list.replaceChildren(...rows);
  };
  input.addEventListener('input', () => {
    clearTimeout(timer);
    timer = setTimeout(() => search().catch(() => list.replaceChildren()), waitMs);
  });
  return list;
}
