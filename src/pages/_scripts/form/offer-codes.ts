import { html, render } from 'lit-html';
import { callApi } from '../api-client.ts';

/** How long a person pauses before the search begins, in milliseconds. */
const waitMs = 200;

/**
 * Makes the field of a code offer occupations that fit a typed title, in a list below it. Enter takes the first of them, and
 * the arrow keys lead to the others. The field reports a `change` once one is chosen.
 */
export function offerCodes(input: HTMLInputElement, list: HTMLElement): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let offered: { id: string; title: string }[] = [];
  const listButtons = () => [...list.querySelectorAll('button')];
  const show = (hits: typeof offered = []) => {
    offered = hits;
    render(
      hits.map(
        ({ id, title }) =>
          html`<li><button type="button" class="link" @click=${() => choose(id)}>${title} ${id}</button></li>`,
      ),
      list,
    );
  };
  const choose = (id: string) => {
    input.value = id;
    show();
    input.focus();
    input.dispatchEvent(new Event('change', { bubbles: true }));
  };
  const search = async () => {
    const q = input.value.trim();
    if (q.length < 2 || /^\d/.test(q)) return show();
    const { body } = await callApi('GET', `/occupations?${new URLSearchParams({ q, limit: '5' })}`);
    if (input.value.trim() === q) show(body.occupations);
  };
  /** Moves the focus along the field and its offers. */
  const move = (event: KeyboardEvent, by: number) => {
    const stops = [input, ...listButtons()];
    const next = stops[stops.indexOf(event.target as HTMLInputElement) + by];
    if (stops.length === 1 || !next) return;
    event.preventDefault();
    next.focus();
  };
  input.addEventListener('input', () => {
    clearTimeout(timer);
    timer = setTimeout(() => search().catch(() => show()), waitMs);
  });
  input.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || !offered[0]) return;
    event.preventDefault();
    choose(offered[0].id);
  });
  for (const place of [input, list])
    place.addEventListener('keydown', (event) => {
      if (event.key === 'ArrowDown') move(event, 1);
      if (event.key === 'ArrowUp') move(event, -1);
    });
}
