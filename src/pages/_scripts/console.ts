import { drawAnswer } from './answer-view.ts';
import type { ContractOperation } from './contract.ts';
import { el } from './dom.ts';
import { drawForm } from './form.ts';
import { type ConsoleRequest, toCurl, toRequest, toToolCall, type Values } from './request.ts';
import { send } from './send.ts';
import { watchWorkspace, workspaceToSend } from './workspace.ts';

interface ConsoleParts {
  operation: ContractOperation;
  example: Values;
  /** Whether the operation is a tool of /mcp. */
  isTool: boolean;
  form: HTMLElement;
  answer: HTMLElement;
}

let drawn = 0;

function drawPreview(title: string, open: boolean) {
  const text = el('code');
  const pre = el('pre', { class: 'code', tabindex: 0, role: 'region', 'aria-label': title }, text);
  return { text, element: el('details', { open, class: 'preview' }, el('summary', {}, title), pre) };
}

/** Draws the form of an operation with its previews, and sends what it holds. */
export function attachConsole({ operation, example, isTool, form: place, answer }: ConsoleParts): void {
  const form = drawForm(operation, example, `c${drawn++}`);
  const view = drawAnswer(answer, operation.operationId);
  const numbers = operation.fields
    .filter(({ schema }) => schema.type === 'number' || schema.type === 'integer')
    .map(({ name }) => name);
  const workspace = () => (operation.workspace ? workspaceToSend() : undefined);
  const toHttp = () => toRequest(operation, form.read(), workspace());
  const toMcp = () => toToolCall(operation.operationId, form.read(), { numbers, workspace: workspace() });

  const curl = drawPreview('As curl', true);
  const mcp = drawPreview('As an MCP call', false);
  const draw = () => {
    curl.text.textContent = toCurl(toHttp(), location.origin);
    if (isTool) mcp.text.textContent = JSON.stringify(JSON.parse(toMcp().body ?? ''), null, 2);
  };
  const buttons = [
    el('button', { type: 'submit', class: 'button' }, `Send ${operation.method}`),
    ...(isTool ? [el('button', { type: 'button', class: 'button quiet' }, 'Send over MCP')] : []),
  ];
  const go = async (toCall: () => ConsoleRequest) => {
    for (const button of buttons) button.disabled = true;
    view.say('Sending …');
    try {
      view.show(await send(toCall(), workspace()));
    } catch (error) {
      view.say(`Nothing answered: ${(error as Error).message}`);
    } finally {
      for (const button of buttons) button.disabled = false;
    }
  };
  form.element.append(
    el('p', { class: 'actions' }, ...buttons),
    curl.element,
    ...(isTool ? [mcp.element] : []),
  );
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
