import { place } from './desk.ts';

let timer: ReturnType<typeof setTimeout> | undefined;

/** Says in one place what came of what the person did; it goes by itself, a refusal stays until the next. */
export function say(words: string, tone: 'ok' | 'blocked' = 'ok'): void {
  const told = place('said');
  clearTimeout(timer);
  told.className = `told is-${tone}`;
  told.textContent = words;
  if (tone === 'ok') timer = setTimeout(() => (told.textContent = ''), 6000);
}
