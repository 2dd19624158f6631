import { el } from './dom.ts';
import { drawJson } from './json-view.ts';
import type { Received } from './send.ts';

/** Where an answer is shown. */
interface AnswerView {
  show(received: Received): void;
  say(text: string): void;
}

const toSize = (bytes: number) => (bytes < 1000 ? `${bytes} bytes` : `${(bytes / 1000).toFixed(1)} kB`);

function toHeaderText(headers: [string, string][]): string {
  return headers.map(([name, value]) => `${name}: ${value}`).join('\n');
}

/** Draws an empty answer pane into `place`. */
export function drawAnswer(place: HTMLElement, label: string): AnswerView {
  const status = el('p', { class: 'status', role: 'status' }, 'Not sent yet.');
  const body = el('pre', { class: 'code', tabindex: 0, role: 'region', 'aria-label': `Answer of ${label}` });
  const headers = el('pre', {
    class: 'code',
    tabindex: 0,
    role: 'region',
    'aria-label': `Headers of ${label}`,
  });
  const more = el('details', { hidden: true }, el('summary', {}, 'Headers'), headers);
  place.replaceChildren(status, body, more);
  return {
    show({ status: code, type, headers: list, text, isJson, milliseconds, bytes }) {
      const tone = type ? `is-${type.toLowerCase()}` : code < 400 ? 'is-ok' : 'is-blocked';
      status.replaceChildren(
        el('span', { class: `chip mono ${tone}` }, `${code}${type ? ` ${type}` : ''}`),
        ` ${milliseconds.toFixed(0)} ms, ${toSize(bytes)}`,
      );
      body.replaceChildren(isJson ? drawJson(text) : text);
      body.scrollTop = 0;
      headers.textContent = toHeaderText(list);
      more.hidden = false;
    },
    say(text) {
      status.textContent = text;
    },
  };
}
