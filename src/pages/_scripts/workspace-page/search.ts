import { html, type TemplateResult } from 'lit-html';
import { facts, kindOfId } from './page-facts.ts';
import { showList } from './store.ts';

/** Opens the record of an id, or the list that contains the words. */
function submit(event: SubmitEvent): void {
  event.preventDefault();
  const words = (event.currentTarget as HTMLFormElement).querySelector('input')!.value.trim();
  if (kindOfId(words)) location.hash = words;
  else showList(facts.kinds[0]!, { q: words });
}

/** Shows the search over all kinds of records. The key `/` moves the focus to it. */
export const viewSearch =
  (): TemplateResult => html`<form class="searching" role="search" aria-label="Desk" @submit=${submit}>
  <label class="unseen" for="look">Search people, orders and placements</label>
  <input id="look" type="search" placeholder="Search people, orders, placements" autocomplete="off" spellcheck="false"
    dir="auto" maxlength="200" aria-keyshortcuts="/" />
  <kbd aria-hidden="true">/</kbd>
</form>`;

/** Moves the focus to the search when the person presses `/` outside a field. */
export function focusSearch(event: KeyboardEvent): void {
  const isTyping = (event.target as Element).closest('input, textarea, select, dialog, [contenteditable]');
  if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || isTyping) return;
  const field = document.getElementById('look');
  if (!field) return;
  event.preventDefault();
  field.focus();
}
