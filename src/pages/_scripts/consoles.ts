import { html, render } from 'lit-html';
import { ApiError, callApi, loadCode } from './api-client.ts';
import { type ContractOperation, listOperations, type PageContract } from './contract.ts';
import { need } from './dom.ts';
import { formatTimeLeft } from './format.ts';
import {
  forgetWorkspace,
  isExpired,
  type RememberedWorkspace,
  useWorkspace,
  watchWorkspace,
} from './workspace-store.ts';

let contract: Promise<ContractOperation[]> | undefined;

/** Reads the contract when the first console opens. */
function readContract(): Promise<ContractOperation[]> {
  contract ??= fetch('/openapi.json').then(async (response) =>
    listOperations((await response.json()) as PageContract),
  );
  return contract;
}

/** Opens the console of an operation in `root`. The data of `chosen` hold its example, and whether it is a tool. */
async function open(root: HTMLElement, operationId: string, chosen: HTMLElement): Promise<void> {
  // Another console may have opened here while the contract was read.
  const place = (name: string) => need<HTMLElement>(root, `[data-${name}]`);
  try {
    // What draws the form is loaded only when a console opens, because most readers open none.
    const [operations, { attachConsole }] = await Promise.all([readContract(), import('./console.ts')]);
    const operation = operations.find((row) => row.operationId === operationId)!;
    const { example = '{}', tool } = chosen.dataset;
    attachConsole({
      operation,
      example: JSON.parse(example),
      isTool: tool !== undefined,
      form: place('form'),
      answer: place('answer'),
      send: root.querySelector<HTMLElement>('[data-send]') ?? undefined,
    });
  } catch {
    place('form').textContent =
      'The form or the contract at /openapi.json could not be loaded. Reload the page to try again.';
  }
}

function describeWorkspace(workspace: RememberedWorkspace | undefined): string {
  if (!workspace) return 'No workspace yet. A create without one makes it.';
  const { id, expiresAt } = workspace;
  const short = `${id.slice(0, 9)}…${id.slice(-4)}`;
  if (isExpired(workspace)) return `Workspace ${short} has expired.`;
  return `Workspace ${short}, ${formatTimeLeft(Date.parse(expiresAt) - Date.now())} left.`;
}

/** Shows the remembered workspace in a bar, with its time left and its buttons. */
function attachWorkspaceBar(bar: HTMLElement): void {
  let shown: RememberedWorkspace | undefined;
  const draw = (text = describeWorkspace(shown), isBusy = false) => {
    const isOpen = shown && !isExpired(shown);
    const use = (event: Event) => useWorkspace((event.target as HTMLInputElement).checked);
    render(
      html`<p role="status" data-workspace-text>${text}</p>
        ${isOpen ? html`<label class="check" data-workspace-use><input type="checkbox" .checked=${shown!.use} @change=${use} /> <span>Send X-Workspace</span></label>` : ''}
        <p class="actions" ?hidden=${!shown}>
          <a href="/workspace.html">Open</a>
          <button type="button" class="link" ?hidden=${!isOpen} ?disabled=${isBusy} @click=${exportAll}>Export</button>
          <button type="button" class="link" @click=${() => forgetWorkspace()}>Forget</button>
        </p>`,
      bar,
    );
  };
  const read = async (path: string) => {
    const answer = await callApi('GET', path, { headers: { 'X-Workspace': shown!.id } });
    if (answer.status !== 200) throw new ApiError(answer.status, answer.body);
    return answer;
  };
  const exportAll = async () => {
    try {
      const { saveExport } = await loadCode(() => import('./export.ts'));
      draw(await saveExport(read, (words) => draw(words, true)));
    } catch (error) {
      draw(`Not exported: ${(error as Error).message}`);
    }
  };
  bar.replaceChildren();
  watchWorkspace((workspace) => {
    shown = workspace;
    draw();
  });
  setInterval(() => draw(), 20_000);
  draw();
}

for (const bar of document.querySelectorAll<HTMLElement>('[data-workspace]')) attachWorkspaceBar(bar);

for (const details of document.querySelectorAll<HTMLDetailsElement>('[data-try]')) {
  details.addEventListener('toggle', () => open(details, details.dataset.try!, details), { once: true });
}

const root = document.querySelector<HTMLElement>('[data-console]');
if (root) {
  const choose = need<HTMLSelectElement>(root, '[data-choose]');
  // The contract is the largest part of the page, so it is read only when the console is near.
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
