import { attachConsole } from './console.ts';
import { type Contract, type ContractOperation, toOperations } from './contract.ts';
import { need } from './dom.ts';
import { attachWorkspaceBar } from './workspace-bar.ts';

let contract: Promise<ContractOperation[]> | undefined;

/** The contract, which is read when the first console is opened. */
function readContract(): Promise<ContractOperation[]> {
  contract ??= fetch('/openapi.json').then(async (response) =>
    toOperations((await response.json()) as Contract),
  );
  return contract;
}

/** Opens the console of an operation in `root`; the data of `chosen` have its example, and whether it is a tool. */
async function open(root: HTMLElement, operationId: string, chosen: HTMLElement): Promise<void> {
  const form = need<HTMLElement>(root, '[data-form]');
  try {
    const operation = (await readContract()).find((row) => row.operationId === operationId)!;
    const { example = '{}', tool } = chosen.dataset;
    const answer = need<HTMLElement>(root, '[data-answer]');
    attachConsole({ operation, example: JSON.parse(example), isTool: tool !== undefined, form, answer });
  } catch {
    form.textContent = 'The contract at /openapi.json could not be read, so there is no form to draw.';
  }
}

for (const bar of document.querySelectorAll<HTMLElement>('[data-workspace]')) attachWorkspaceBar(bar);

for (const details of document.querySelectorAll<HTMLDetailsElement>('[data-try]')) {
  details.addEventListener('toggle', () => open(details, details.dataset.try!, details), { once: true });
}

const root = document.querySelector<HTMLElement>('[data-console]');
if (root) {
  const choose = need<HTMLSelectElement>(root, '[data-choose]');
  // The contract is the largest part of the page: it waits until the console is near.
  const near = new IntersectionObserver(
    (entries) => entries.some(({ isIntersecting }) => isIntersecting) && openChosen(),
    { rootMargin: '300px' },
  );
  const openChosen = () => {
    near.disconnect();
    open(root, choose.value, choose.selectedOptions[0]!);
  };
  choose.addEventListener('change', openChosen);
  near.observe(root);
}
