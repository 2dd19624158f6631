/** The frame of the page: the gate before a workspace is open, then the strip and the tabs around a view. */
import { html, nothing, type TemplateResult } from 'lit-html';
import { timeOf } from '../../_scripts/dom.ts';
import { formatCount, formatTimeLeft, toSentenceCase } from '../../_scripts/format.ts';
import { viewSearch } from '../search/search.ts';
import { formatWorkspaceId } from '../state/client.ts';
import type { Close } from '../state/model.ts';
import { facts } from '../state/page-facts.ts';
import { formatHash } from '../state/route.ts';
import { state } from '../state/state.ts';
import { viewOpenedView } from './views.ts';

/** Shows the name of the workspace, the search, the button that imports a file, and how long the workspace is kept. */
function viewStrip(fileButton: TemplateResult): TemplateResult {
  const { expiresAt } = state.workspace!;
  const left = Date.parse(expiresAt) - Date.now();
  return html`<header class="strip">
    <h1>Workspace <span class="mono note">${formatWorkspaceId()}</span></h1>
    ${viewSearch()} ${fileButton}
    <p class="chip"><a href="#settings">${formatTimeLeft(left)} left</a><span class="unseen">, until ${timeOf(expiresAt)}</span></p>
  </header>`;
}

/** Shows the tabs. Each is an address, so that back, forward and reload keep it. */
function viewTabs(): TemplateResult {
  const { route, workspace } = state;
  const lists = facts.kinds.map((kind) => ({
    href: formatHash(kind),
    words: toSentenceCase(kind.plural),
    count: formatCount(workspace!.records[kind.collection] ?? 0),
    isHere: ['list', 'record', 'plan'].includes(route.view) && route.kind === kind,
  }));
  const tabs = [
    { href: '#today', words: 'Today', count: '', isHere: route.view === 'today' },
    ...lists,
    { href: '#settings', words: 'Settings', count: '', isHere: route.view === 'settings' },
  ];
  return html`<nav class="desk-tabs" aria-label="Workspace"><ul class="plain">${tabs.map(
    ({ href, words, count, isHere }) =>
      html`<li><a href=${href} aria-current=${isHere ? 'page' : nothing}>${words} <span class="count">${count}</span></a></li>`,
  )}</ul></nav>`;
}

/** Draws the desk of the open workspace: the strip, the tabs, and what the address names. */
export const viewDesk = (close: Close, fileButton: TemplateResult): TemplateResult =>
  html`${viewStrip(fileButton)} ${viewTabs()} ${viewOpenedView(close)}`;
