import { fetchLive } from './api-client.ts';
import { type ContractOperation, isAside, toFormField } from './contract.ts';
import { el, withCopy } from './dom.ts';
import { drawField } from './form.ts';
import { toJsonTokens } from './json-tokens.ts';
import { type ConsoleRequest, toCurl, toRequest, toToolCall, type Values } from './request.ts';
import { toRule } from './schema-text.ts';
import { markGone, rememberWorkspace, watchWorkspace, workspaceToSend } from './workspace-store.ts';

interface ConsoleParts {
  operation: ContractOperation;
  example: Values;
  /** Whether the operation is a tool of /mcp. */
  isTool: boolean;
  form: HTMLElement;
  answer: HTMLElement;
}

/** Characters that are coloured; what follows stays plain, so that a large answer is drawn at once. */
const mostColoured = 40_000;
let drawn = 0;

function drawCode(label: string, ...children: Node[]): HTMLPreElement {
  return el('pre', { class: 'code', tabindex: 0, role: 'region', 'aria-label': label }, ...children);
}

function drawJson(text: string): Node[] {
  const tokens = [...toJsonTokens(text.slice(0, mostColoured))];
  const spans = tokens.map(({ kind, text: part }) =>
    kind ? el('span', { class: `j-${kind}` }, part) : new Text(part),
  );
  return [...spans, new Text(text.slice(mostColoured))];
}

/** The form of an operation, filled with an example; anything may be typed, to see how it is refused. */
function drawForm({ operationId, fields }: ContractOperation, example: Values) {
  drawn += 1;
  const rows = fields.map((field) => {
    const form = toFormField(field);
    const rule = form.type === 'number' ? `${toRule(field.schema)}.` : '';
    const about = form.hint ? form.hint.replace(/\.?$/, '.') : '';
    const id = `c${drawn}-${operationId}-${field.name}`;
    const value = example[field.place][field.name];
    return { of: field, ...drawField(form, { id, value, isFree: true, hint: `${about} ${rule}`.trim() }) };
  });
  const asides = rows.filter(({ of }) => isAside(of)).map(({ row }) => row);
  const element = el(
    'form',
    { novalidate: true, autocomplete: 'off' },
    ...rows.filter(({ of }) => !isAside(of)).map(({ row }) => row),
    asides.length > 0 && el('details', { class: 'asides' }, el('summary', {}, 'Other headers'), ...asides),
  );
  const read = () => {
    const values: Values = { path: {}, query: {}, header: {}, body: {} };
    for (const { of, control, read: readField } of rows) {
      if (control.value === '') continue;
      values[of.place][of.name] = of.place === 'body' ? (readField() ?? control.value) : control.value;
    }
    return values;
  };
  return { element, read };
}

/** The pane that answers are shown in. */
function drawAnswer(place: HTMLElement, label: string) {
  const status = el('p', { class: 'status', role: 'status', tabindex: -1 }, 'Not sent yet.');
  const body = drawCode(`Answer of ${label}`);
  const headers = drawCode(`Headers of ${label}`);
  const more = el('details', { hidden: true }, el('summary', {}, 'Headers'), headers);
  place.replaceChildren(status, withCopy(body), more);
  withCopy(headers);
  return { status, body, headers, more };
}

/** Sends a request, and remembers the workspace that it made, or that is gone. Rejects where nothing answers. */
async function send({ method, target, headers, body }: ConsoleRequest, workspace: string | undefined) {
  const start = performance.now();
  const response = await fetchLive(target, { method, headers, body: body ?? null });
  const text = await response.text();
  const milliseconds = performance.now() - start;
  const isJson = /json/.test(response.headers.get('content-type') ?? '') && text !== '';
  const parsed = isJson ? JSON.parse(text) : undefined;
  // A tool's result, and what a JSON-RPC error carries, are envelopes too.
  const envelope = parsed?.result?.structuredContent ?? parsed?.error?.data ?? parsed;
  if (typeof envelope?.workspace === 'string' && envelope.retention)
    await rememberWorkspace(envelope.workspace, envelope.retention.expiresAt);
  else if (workspace && (response.status === 401 || envelope?.code === 'unknown_workspace'))
    await markGone(workspace);
  return { response, text, milliseconds, parsed, type: envelope?.type as string | undefined };
}

function show(pane: ReturnType<typeof drawAnswer>, answer: Awaited<ReturnType<typeof send>>): void {
  const { response, text, milliseconds, parsed, type } = answer;
  const bytes = new TextEncoder().encode(text).length;
  const size = bytes < 1000 ? `${bytes} bytes` : `${(bytes / 1000).toFixed(1)} kB`;
  const tone = type?.toLowerCase() ?? (response.ok ? 'ok' : 'blocked');
  const words = [response.status, type].filter(Boolean).join(' ');
  const chip = el('span', { class: `chip mono is-${tone}` }, words);
  pane.status.replaceChildren(chip, ` ${milliseconds.toFixed(0)} ms, ${size}`);
  pane.body.replaceChildren(...(parsed === undefined ? [text] : drawJson(JSON.stringify(parsed, null, 2))));
  pane.body.scrollTop = 0;
  pane.headers.textContent = [...response.headers].map(([name, value]) => `${name}: ${value}`).join('\n');
  pane.more.hidden = false;
}

/** Draws the form of an operation with its previews, and sends its values. */
export function attachConsole({ operation, example, isTool, form: place, answer }: ConsoleParts): void {
  const form = drawForm(operation, example);
  const pane = drawAnswer(answer, operation.operationId);
  const numbers = operation.fields.filter((field) => toFormField(field).type === 'number');
  const names = numbers.map(({ name }) => name);
  const workspace = () => (operation.workspace ? workspaceToSend() : undefined);
  const toHttp = () => toRequest(operation, form.read(), workspace());
  const toMcp = () =>
    toToolCall(operation.operationId, form.read(), { numbers: names, workspace: workspace() });

  const [curl, mcp] = [el('code'), el('code')];
  const drawPreview = (title: string, code: HTMLElement, open: boolean) =>
    el('details', { open, class: 'preview' }, el('summary', {}, title), withCopy(drawCode(title, code)));
  const draw = () => {
    curl.textContent = toCurl(toHttp(), location.origin);
    if (isTool) mcp.textContent = JSON.stringify(JSON.parse(toMcp().body ?? ''), null, 2);
  };
  const buttons = [
    el('button', { type: 'submit', class: 'button' }, `Send ${operation.method}`),
    ...(isTool ? [el('button', { type: 'button', class: 'button quiet' }, 'Send over MCP')] : []),
  ];
  const go = async (toCall: () => ConsoleRequest) => {
    for (const button of buttons) button.disabled = true;
    pane.status.textContent = 'Sending …';
    try {
      show(pane, await send(toCall(), workspace()));
    } catch (error) {
      pane.status.textContent = `Nothing answered: ${(error as Error).message}`;
    }
    for (const button of buttons) button.disabled = false;
    answer.scrollIntoView({ block: 'nearest' });
    pane.status.focus();
  };
  form.element.append(el('p', { class: 'actions' }, ...buttons), drawPreview('As curl', curl, true));
  if (isTool) form.element.append(drawPreview('As an MCP call', mcp, false));
  form.element.addEventListener('submit', (event) => {
    event.preventDefault();
    go(toHttp);
  });
  buttons[1]?.addEventListener('click', () => go(toMcp));
  form.element.addEventListener('input', draw);
  watchWorkspace(draw);
  draw();
  place.replaceChildren(form.element);
}
