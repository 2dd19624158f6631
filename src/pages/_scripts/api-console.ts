import { attachConsole } from './console.ts';
import { type Contract, type ContractOperation, toOperations } from './contract.ts';
import { need } from './dom.ts';
import { attachWorkspaceBar } from './workspace-bar.ts';

let contract: Promise<ContractOperation[]> | undefined;

/** The contract is read when the first example is opened. */
function readContract(): Promise<ContractOperation[]> {
  contract ??= fetch('/openapi.json').then(async (response) =>
    toOperations((await response.json()) as Contract),
  );
  return contract;
}

for (const bar of document.querySelectorAll<HTMLElement>('[data-workspace]')) attachWorkspaceBar(bar);

for (const details of document.querySelectorAll<HTMLDetailsElement>('[data-try]')) {
  details.addEventListener(
    'toggle',
    async () => {
      const { try: operationId, example = '{}', tool } = details.dataset;
      const form = need<HTMLElement>(details, '[data-form]');
      try {
        const operation = (await readContract()).find((row) => row.operationId === operationId)!;
        const answer = need<HTMLElement>(details, '[data-answer]');
        attachConsole({ operation, example: JSON.parse(example), isTool: tool !== undefined, form, answer });
      } catch {
        form.textContent = 'The contract at /openapi.json could not be read, so there is no form to draw.';
      }
    },
    { once: true },
  );
}
