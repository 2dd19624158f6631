import { html, render } from 'lit-html';
import { callApi } from '../api-client.ts';

/** How long a person pauses before the search begins, in milliseconds. */
const waitMs = 200;

/** Makes the field of a code offer occupations that fit a typed title, in a list below it. */
export function offerCodes(input: HTMLInputElement, list: HTMLElement): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const show = (hits: { id: string; title: string }[] = []) =>
    render(
      hits.map(
        ({ id, title }) =>
          html`<li><button type="button" class="link" @click=${() => choose(id)}>${title} ${id}</button></li>`,
      ),
      list,
    );
  const choose = (id: string) => {
    input.value = id;
    show();
    input.focus();
  };
  const search = async () => {
    const q = input.value.trim();
    if (q.length < 2 || /^\d/.test(q)) return show();
    const { body } = await callApi('GET', `/occupations?${new URLSearchParams({ q, limit: '5' })}`);
    if (input.value.trim() === q) show(body.occupations);
  };
  input.addEventListener('input', () => {
    clearTimeout(timer);
    timer = setTimeout(() => search().catch(() => show()), waitMs);
  });
}
