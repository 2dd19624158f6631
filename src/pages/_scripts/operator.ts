import { el, need, showFacts, showVerdict, timeOf } from './dom.ts';

interface Overview {
  at: string;
  versions: { service: string; commit: string | null; node: string; startedAt: string };
  store: {
    place: string;
    workspaces: number | null;
    bytes: number | null;
    roomBytes: number | null;
    isFull: boolean;
    lastBackup: { at: string; file: string } | null;
  };
  connections: number | null;
  calls: { live: number; fromMemory: number; byOperation: Record<string, number> };
  refusals: {
    byCode: Record<string, number>;
    byClient: { client: string; code: string; count: number; last: string }[];
  };
  nearLimits: { limit: string; client?: string; used: number; quota: number }[];
  blocks: { address: string; since: string; reason?: string }[];
}

const tokenForm = need<HTMLFormElement>(document, '[data-token]');
const tokenInput = need<HTMLInputElement>(tokenForm, 'input');
const verdict = need<HTMLElement>(document, '[data-verdict]');
const overviewPart = need<HTMLElement>(document, '[data-overview]');
const blockForm = need<HTMLFormElement>(document, '[data-block]');
const addressInput = need<HTMLInputElement>(document, '#block-address');
const reasonInput = need<HTMLInputElement>(document, '#block-reason');

const formatCount = (count: number | null) => (count === null ? 'not known' : count.toLocaleString('en-US'));
const formatBytes = (bytes: number | null) => (bytes === null ? 'not known' : `${formatCount(bytes)} bytes`);

/** Shows a message of this page, or hides it. */
function say(words: string, tone?: 'blocked'): void {
  verdict.hidden = words === '';
  showVerdict(verdict, tone, words);
}

/** Calls an address of the operator with the token in the form. Throws an error that says what to do. */
async function call(path: string, init: RequestInit = {}) {
  const headers = { Authorization: `Bearer ${tokenInput.value.trim()}` };
  const reply = await fetch(path, { ...init, headers, cache: 'no-store' });
  const body = await reply.json();
  if (!reply.ok) throw new Error(body.reason ?? body.message);
  return body;
}

type Cell = Node | string;

/** Creates a table that can be scrolled. Each text in a cell is isolated. */
function createTable(
  name: string,
  heads: readonly string[],
  rows: readonly (readonly Cell[])[],
): HTMLElement {
  if (rows.length === 0) return el('p', { class: 'note' }, 'None.');
  const toCell = (cell: Cell) => el('td', {}, typeof cell === 'string' ? el('bdi', {}, cell) : cell);
  const head = el('thead', {}, el('tr', {}, ...heads.map((text) => el('th', { scope: 'col' }, text))));
  const body = el('tbody', {}, ...rows.map((cells) => el('tr', {}, ...cells.map(toCell))));
  const attributes = { class: 'scroll', tabindex: 0, role: 'group', 'aria-label': name };
  return el('div', attributes, el('table', {}, head, body));
}

const createCounts = (name: string, head: string, counts: Record<string, number>) =>
  createTable(
    name,
    [head, 'Count'],
    Object.entries(counts).map(([key, count]) => [key, formatCount(count)]),
  );

function createUnblock(address: string): HTMLButtonElement {
  const button = el('button', { type: 'button', class: 'button quiet' }, 'Unblock');
  button.setAttribute('aria-label', `Unblock ${address}`);
  button.addEventListener('click', () =>
    act(() => call(`/operator/blocks/${encodeURIComponent(address)}`, { method: 'DELETE' })),
  );
  return button;
}

function showStore({ versions, store, connections, at }: Overview): void {
  const { lastBackup } = store;
  showFacts(need(overviewPart, '[data-facts]'), [
    ['As of', timeOf(at)],
    ['Store', store.place],
    ['Workspaces', formatCount(store.workspaces)],
    ['Takes', formatBytes(store.bytes)],
    ['Room left', store.isFull ? 'None: the store is full' : formatBytes(store.roomBytes)],
    ['Last backup', lastBackup ? timeOf(lastBackup.at) : 'none that is known here'],
    ['Connections', formatCount(connections)],
    ['Version', `${versions.service}, commit ${versions.commit ?? 'unknown'}, Node ${versions.node}`],
    ['Started', timeOf(versions.startedAt)],
  ]);
}

function show(overview: Overview): void {
  const { calls, refusals, nearLimits, blocks } = overview;
  showStore(overview);
  need(overviewPart, '[data-near]').replaceChildren(
    createTable(
      'Limits near their end',
      ['Limit', 'Client', 'Used', 'Of'],
      nearLimits.map(({ limit, client, used, quota }) => [
        limit,
        client ?? 'all',
        formatCount(used),
        formatCount(quota),
      ]),
    ),
  );
  need(overviewPart, '[data-refused]').replaceChildren(
    createCounts('Refusals by code', 'Code', refusals.byCode),
    createTable(
      'Refusals by client',
      ['Client', 'Code', 'Count', 'Last'],
      refusals.byClient.map(({ client, code, count, last }) => [
        client,
        code,
        formatCount(count),
        timeOf(last),
      ]),
    ),
  );
  need(overviewPart, '[data-calls]').replaceChildren(
    createCounts('Calls', 'Operation', { ...calls.byOperation, 'answers from memory': calls.fromMemory }),
  );
  need(overviewPart, '[data-blocks]').replaceChildren(
    createTable(
      'Blocked addresses',
      ['Address', 'Since', 'Reason', 'Action'],
      blocks.map(({ address, since, reason = '' }) => [
        address,
        timeOf(since),
        reason,
        createUnblock(address),
      ]),
    ),
  );
  overviewPart.hidden = false;
}

/** Does something, then shows how things are now. Says why if it fails. */
async function act(work: () => Promise<unknown>): Promise<void> {
  say('Reading …');
  try {
    await work();
    show(await call('/operator.json'));
    say('');
  } catch (error) {
    say((error as Error).message, 'blocked');
  }
}

tokenForm.addEventListener('submit', (event) => {
  event.preventDefault();
  act(async () => {});
});

blockForm.addEventListener('submit', (event) => {
  event.preventDefault();
  const body = JSON.stringify({ address: addressInput.value, reason: reasonInput.value });
  act(async () => {
    await call('/operator/blocks', { method: 'POST', body });
    blockForm.reset();
  });
});
