import { html, render, type TemplateResult } from 'lit-html';
import { fetchLive } from './api-client.ts';
import { type ContractOperation, isOptionalHeader } from './contract.ts';
import { el, need, withCopy } from './dom.ts';
import { drawField } from './form/draw-field.ts';
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
class OperationConsole {
  readonly #operation: ContractOperation;
  readonly #isTool: boolean;
  readonly #form: HTMLElement;
  readonly #answer: HTMLElement;
  readonly #sending: HTMLElement | undefined;
  readonly #formId: string;
  readonly #rows: ReturnType<typeof drawFields>;
  readonly #arranged: ReturnType<typeof arrangeFields>;
  /** The names of the fields that take a number. */
  readonly #numbers: string[];
  readonly #curl = drawCode('As curl');
  readonly #mcp = drawCode('As an MCP call');
  readonly #body: ReturnType<typeof drawCode>;
  readonly #headers: ReturnType<typeof drawCode>;
  #status: unknown = 'Not sent yet.';
  #isSending = false;

  constructor({ operation, example, isTool, form, answer, send: sending }: ConsoleParts) {
    const { operationId, fields } = operation;
    this.#operation = operation;
    this.#isTool = isTool;
    this.#form = replaceWithEmpty(form);
    this.#answer = replaceWithEmpty(answer);
    this.#sending = sending && replaceWithEmpty(sending);
    this.#rows = drawFields(operation, example);
    this.#formId = `c${drawn}-${operationId}`;
    this.#arranged = arrangeFields(this.#rows, example);
    this.#numbers = fields.filter((field) => toFormField(field).type === 'number').map(({ name }) => name);
    this.#body = drawCode(`Answer of ${operationId}`);
    this.#headers = drawCode(`Headers of ${operationId}`);
  }

  #findWorkspace = () => (this.#operation.workspace ? workspaceToSend() : undefined);

  #createHttpRequest = (): ConsoleRequest =>
    toRequest(this.#operation, readValues(this.#rows), this.#findWorkspace());

  #createMcpRequest = (): ConsoleRequest =>
    toToolCall(this.#operation.operationId, readValues(this.#rows), {
      numbers: this.#numbers,
      workspace: this.#findWorkspace(),
    });

  #viewButtons(): TemplateResult {
    return html`<p class="actions">
    <button type="submit" form=${this.#formId} class="button" ?disabled=${this.#isSending}>Send ${this.#operation.method}</button>
    ${this.#isTool ? html`<button type="button" class="button quiet" ?disabled=${this.#isSending} @click=${() => this.#go(this.#createMcpRequest)}>Send over MCP</button>` : ''}
  </p>`;
  }

  #viewForm(): TemplateResult {
    const { shown, folded, others } = this.#arranged;
    return html`<form id=${this.#formId} novalidate autocomplete="off" @submit=${this.#submit} @input=${this.draw}>
        ${shown.map(({ row }) => row)}
        ${viewMore(shown.length > 0 ? 'More members' : 'Members', folded)}
        ${viewMore('Other headers', others)}
        ${this.#sending ? '' : this.#viewButtons()}
        <details open class="preview"><summary>As curl</summary>${this.#curl.box}</details>
        ${this.#isTool ? html`<details class="preview"><summary>As an MCP call</summary>${this.#mcp.box}</details>` : ''}
      </form>`;
  }

  #viewAnswer(): TemplateResult {
    return html`<p class="status" role="status" tabindex="-1">${this.#status}</p>
        ${this.#body.box}
        <details ?hidden=${this.#headers.code.textContent === ''}><summary>Headers</summary>${this.#headers.box}</details>`;
  }

  draw = (): void => {
    if (this.#sending) render(this.#viewButtons(), this.#sending);
    this.#curl.code.textContent = toCurl(this.#createHttpRequest(), location.origin);
    if (this.#isTool)
      this.#mcp.code.textContent = JSON.stringify(JSON.parse(this.#createMcpRequest().body ?? ''), null, 2);
    render(this.#viewForm(), this.#form);
    render(this.#viewAnswer(), this.#answer);
  };

  #submit = (event: Event): void => {
    event.preventDefault();
    this.#go(this.#createHttpRequest);
  };

  async #go(createRequest: () => ConsoleRequest): Promise<void> {
    this.#status = 'Sending …';
    this.#isSending = true;
    this.draw();
    try {
      const answered = await send(createRequest(), this.#findWorkspace());
      const { response, text, parsed } = answered;
      this.#status = viewStatus(answered);
      this.#body.code.textContent = parsed === undefined ? text : JSON.stringify(parsed, null, 2);
      this.#body.code.scrollTop = 0;
      const lines = [...response.headers].map(([name, value]) => `${name}: ${value}`);
      this.#headers.code.textContent = lines.join('\n');
    } catch (error) {
      this.#status = `Nothing answered: ${(error as Error).message}`;
    }
    this.#isSending = false;
    this.draw();
    this.#answer.scrollIntoView({ block: 'nearest' });
    need<HTMLElement>(this.#answer, '.status').focus();
  }
}

/** Opens the console of an operation. It is drawn again when the remembered workspace changes. */
export function attachConsole(parts: ConsoleParts): void {
  const opened = new OperationConsole(parts);
  watchWorkspace(opened.draw);
  opened.draw();
}
