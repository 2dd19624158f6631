import { callApi, Refused } from './api-client.ts';
import { attachConsole } from './console.ts';
import { type Contract, type ContractOperation, toOperations } from './contract.ts';
import { need } from './dom.ts';
import { saveExport } from './export.ts';
import { toTimeLeft } from './format.ts';
import {
  forgetWorkspace,
  isExpired,
  type RememberedWorkspace,
  useWorkspace,
  watchWorkspace,
} from './workspace-store.ts';

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

function toBarText(workspace: RememberedWorkspace | undefined): string {
  if (!workspace) return 'No workspace yet. A create without one makes it.';
  const { id, expiresAt } = workspace;
  const short = `${id.slice(0, 9)}…${id.slice(-4)}`;
  if (isExpired(workspace)) return `Workspace ${short} has expired.`;
  return `Workspace ${short}, ${toTimeLeft(Date.parse(expiresAt) - Date.now())} left.`;
}

/** Shows the remembered workspace in a bar, with its time left and what can be done with it. */
function attachWorkspaceBar(bar: HTMLElement): void {
  const text = need<HTMLElement>(bar, '[data-workspace-text]');
  const use = need<HTMLElement>(bar, '[data-workspace-use]');
  const box = need<HTMLInputElement>(use, 'input');
  const actions = need<HTMLElement>(bar, '[data-workspace-actions]');
  const exporting = need<HTMLButtonElement>(bar, '[data-export]');
  let shown: RememberedWorkspace | undefined;
  const draw = (workspace: RememberedWorkspace | undefined) => {
    shown = workspace;
    const expired = workspace !== undefined && isExpired(workspace);
    text.textContent = toBarText(workspace);
    use.hidden = !workspace || expired;
    actions.hidden = !workspace;
    exporting.hidden = expired;
    box.checked = workspace?.use ?? true;
  };
  const read = async (path: string) => {
    const answer = await callApi('GET', path, { headers: { 'X-Workspace': shown!.id } });
    if (answer.status !== 200) throw new Refused(answer.status, answer.body);
    return answer;
  };
  watchWorkspace(draw);
  setInterval(() => draw(shown), 20_000);
  box.addEventListener('change', () => useWorkspace(box.checked));
  need(bar, '[data-forget]').addEventListener('click', () => forgetWorkspace());
  exporting.addEventListener('click', async () => {
    exporting.disabled = true;
    try {
      text.textContent = await saveExport(read, (words) => (text.textContent = words));
    } catch (error) {
      text.textContent = `Not exported: ${(error as Error).message}`;
    }
    exporting.disabled = false;
  });
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
