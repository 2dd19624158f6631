import { attachConsole } from './console.ts';
import { type Contract, toOperations } from './contract.ts';
import { need } from './dom.ts';
import { attachWorkspaceBar } from './workspace-bar.ts';

const root = need<HTMLElement>(document, '[data-console]');
const choose = need<HTMLSelectElement>(root, '[data-choose]');
const form = need<HTMLElement>(root, '[data-form]');
const answer = need<HTMLElement>(root, '[data-answer]');

attachWorkspaceBar(need(root, '[data-workspace]'));

try {
  const response = await fetch('/openapi.json');
  const operations = toOperations((await response.json()) as Contract);
  const open = () => {
    const option = choose.selectedOptions[0]!;
    const operation = operations.find(({ operationId }) => operationId === option.value);
    if (!operation) return;
    const { example = '{}', tool } = option.dataset;
    attachConsole({ operation, example: JSON.parse(example), isTool: tool !== undefined, form, answer });
  };
  choose.addEventListener('change', open);
  open();
} catch {
  form.textContent = 'The contract at /openapi.json could not be read, so there is no form to draw.';
}
