import { html, render } from 'lit-html';
import { fetchLive } from './api-client.ts';
import { type ContractOperation, isOptionalHeader } from './contract.ts';
import { el, need, withCopy } from './dom.ts';
import { drawField } from './form/form.ts';
import { toFormField } from './form/form-field.ts';
import { type ConsoleRequest, type ConsoleValues, toCurl, toRequest, toToolCall } from './request.ts';
import { describeRule } from './schema-text.ts';
import { markGone, rememberWorkspace, watchWorkspace, workspaceToSend } from './workspace-store.ts';

interface ConsoleParts {
  operation: ContractOperation;
  example: ConsoleValues;
  isTool: boolean;
  form: HTMLElement;
  answer: HTMLElement;
  /** Where the buttons that send are. Without it they follow the fields. */
  send?: HTMLElement | undefined;
}

let drawn = 0;

/** Creates a block of code, and a box around it with a button that copies it. */
function drawCode(label: string) {
  const code = el('pre', { class: 'code', tabindex: 0, role: 'region', 'aria-label': label });
  return { code, box: withCopy(code) };
}

/**
 * Draws the fields of an operation, filled with an example. They accept any text, to show how the service refuses it.
 */
function drawFields({ operationId, fields }: ContractOperation, example: ConsoleValues) {
  drawn += 1;
  return fields.map((field) => {
    const form = toFormField(field);
    const rule = form.type === 'number' ? `${describeRule(field.schema)}.` : '';
    const about = form.hint ? form.hint.replace(/\.?$/, '.') : '';
    const id = `c${drawn}-${operationId}-${field.name}`;
    const value = example[field.place][field.name];
    return { of: field, ...drawField(form, { id, value, isFree: true, hint: `${about} ${rule}`.trim() }) };
  });
}

function readValues(rows: ReturnType<typeof drawFields>): ConsoleValues {
  const values: ConsoleValues = { path: {}, query: {}, header: {}, body: {} };
  for (const { of, control, read } of rows) {
    if (control.value === '') continue;
    values[of.place][of.name] = of.place === 'body' ? (read() ?? control.value) : control.value;
  }
  return values;
}

/** Sends a request. Remembers the workspace that it created, or that is gone. Rejects if nothing answers. */
async function send({ method, target, headers, body }: ConsoleRequest, workspace: string | undefined) {
  const start = performance.now();
  const response = await fetchLive(target, { method, headers, body: body ?? null });
  const text = await response.text();
  const milliseconds = performance.now() - start;
  const isJson = /json/.test(response.headers.get('content-type') ?? '') && text !== '';
  const parsed = isJson ? JSON.parse(text) : undefined;
  // The result of a tool and the data of a JSON-RPC error are envelopes too.
  const envelope = parsed?.result?.structuredContent ?? parsed?.error?.data ?? parsed;
  if (typeof envelope?.workspace === 'string' && envelope.retention)
    await rememberWorkspace(envelope.workspace, envelope.retention.expiresAt);
  else if (workspace && (response.status === 401 || envelope?.code === 'unknown_workspace'))
    await markGone(workspace);
  return { response, text, milliseconds, parsed, type: envelope?.type as string | undefined };
}

/** Shows the status of a reply, its time and its size. */
function viewStatus({ response, text, milliseconds, type }: Awaited<ReturnType<typeof send>>) {
  const bytes = new TextEncoder().encode(text).length;
  const size = bytes < 1000 ? `${bytes} bytes` : `${(bytes / 1000).toFixed(1)} kB`;
  const tone = type?.toLowerCase() ?? (response.ok ? 'ok' : 'blocked');
  const words = [response.status, type].filter(Boolean).join(' ');
  return html`<span class=${`chip mono is-${tone}`}>${words}</span> ${milliseconds.toFixed(0)} ms, ${size}`;
}

/** Replaces an element by an empty one, so that a previous console draws nothing here. */
function replaceWithEmpty(old: HTMLElement): HTMLElement {
  const fresh = old.cloneNode(false) as HTMLElement;
  old.replaceWith(fresh);
  return fresh;
}

/**
 * Sorts the fields of an operation: those to show at once, because they are required or the example has them, then the
 * members and the headers to fold away.
 */
function arrangeFields(rows: ReturnType<typeof drawFields>, example: ConsoleValues) {
  const others = rows.filter(({ of }) => isOptionalHeader(of));
  const members = rows.filter(({ of }) => !isOptionalHeader(of));
  const required = members.filter(({ of }) => of.required);
  const optional = members.filter(({ of }) => !of.required);
  const isInExample = ({ of: { place, name } }: (typeof rows)[number]) => example[place][name] !== undefined;
  return {
    shown: [...required, ...optional.filter(isInExample)],
    folded: optional.filter((row) => !isInExample(row)),
    others,
  };
}

/** Draws rows that are not needed for the example, folded. */
const viewMore = (name: string, rows: ReturnType<typeof drawFields>) =>
  rows.length > 0
    ? html`<details class="asides"><summary>${name}</summary>${rows.map(({ row }) => row)}</details>`
    : '';

/** Draws the form of an operation with its previews, and sends its values when the person submits it. */
export function attachConsole({ operation, example, isTool, ...places }: ConsoleParts): void {
  const place = replaceWithEmpty(places.form);
  const answer = replaceWithEmpty(places.answer);
  const sending = places.send && replaceWithEmpty(places.send);
  const { operationId, method, fields } = operation;
  const rows = drawFields(operation, example);
  const [curl, mcp] = [drawCode('As curl'), drawCode('As an MCP call')];
  const [body, headers] = [drawCode(`Answer of ${operationId}`), drawCode(`Headers of ${operationId}`)];
  const { shown, folded, others } = arrangeFields(rows, example);
  const formId = `c${drawn}-${operationId}`;
  const numbers = fields.filter((field) => toFormField(field).type === 'number').map(({ name }) => name);
  let [status, isSending]: [unknown, boolean] = ['Not sent yet.', false];

  const workspace = () => (operation.workspace ? workspaceToSend() : undefined);
  const createHttpRequest = () => toRequest(operation, readValues(rows), workspace());
  const createMcpRequest = () =>
    toToolCall(operationId, readValues(rows), { numbers, workspace: workspace() });
  const viewButtons = () => html`<p class="actions">
    <button type="submit" form=${formId} class="button" ?disabled=${isSending}>Send ${method}</button>
    ${isTool ? html`<button type="button" class="button quiet" ?disabled=${isSending} @click=${() => go(createMcpRequest)}>Send over MCP</button>` : ''}
  </p>`;
  const draw = () => {
    if (sending) render(viewButtons(), sending);
    curl.code.textContent = toCurl(createHttpRequest(), location.origin);
    if (isTool) mcp.code.textContent = JSON.stringify(JSON.parse(createMcpRequest().body ?? ''), null, 2);
    render(
      html`<form id=${formId} novalidate autocomplete="off" @submit=${submit} @input=${draw}>
        ${shown.map(({ row }) => row)}
        ${viewMore(shown.length > 0 ? 'More members' : 'Members', folded)}
        ${viewMore('Other headers', others)}
        ${sending ? '' : viewButtons()}
        <details open class="preview"><summary>As curl</summary>${curl.box}</details>
        ${isTool ? html`<details class="preview"><summary>As an MCP call</summary>${mcp.box}</details>` : ''}
      </form>`,
      place,
    );
    render(
      html`<p class="status" role="status" tabindex="-1">${status}</p>
        ${body.box}
        <details ?hidden=${headers.code.textContent === ''}><summary>Headers</summary>${headers.box}</details>`,
      answer,
    );
  };
  const submit = (event: Event) => {
    event.preventDefault();
    go(createHttpRequest);
  };
  const go = async (createRequest: () => ConsoleRequest) => {
    [status, isSending] = ['Sending …', true];
    draw();
    try {
      const answered = await send(createRequest(), workspace());
      const { response, text, parsed } = answered;
      status = viewStatus(answered);
      body.code.textContent = parsed === undefined ? text : JSON.stringify(parsed, null, 2);
      body.code.scrollTop = 0;
      headers.code.textContent = [...response.headers].map(([name, value]) => `${name}: ${value}`).join('\n');
    } catch (error) {
      status = `Nothing answered: ${(error as Error).message}`;
    }
    isSending = false;
    draw();
    answer.scrollIntoView({ block: 'nearest' });
    need<HTMLElement>(answer, '.status').focus();
  };
  watchWorkspace(draw);
  draw();
}
