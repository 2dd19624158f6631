import { callApi, Refused } from './api-client.ts';
import { need } from './dom.ts';
import { saveExport } from './export.ts';
import { toTimeLeft } from './format.ts';
import type { RememberedWorkspace } from './workspace-store.ts';
import { forgetWorkspace, isExpired, useWorkspace, watchWorkspace } from './workspace-store.ts';

function toText(workspace: RememberedWorkspace | undefined): string {
  if (!workspace) return 'No workspace yet. A create without one makes it.';
  const { id, expiresAt } = workspace;
  const short = `${id.slice(0, 9)}…${id.slice(-4)}`;
  if (isExpired(workspace)) return `Workspace ${short} has expired.`;
  return `Workspace ${short}, ${toTimeLeft(Date.parse(expiresAt) - Date.now())} left.`;
}

/** Shows the remembered workspace in a bar, with its time left and what can be done with it. */
export function attachWorkspaceBar(bar: HTMLElement): void {
  const text = need<HTMLElement>(bar, '[data-workspace-text]');
  const use = need<HTMLElement>(bar, '[data-workspace-use]');
  const box = need<HTMLInputElement>(use, 'input');
  const actions = need<HTMLElement>(bar, '[data-workspace-actions]');
  const exporting = need<HTMLButtonElement>(bar, '[data-export]');
  let shown: RememberedWorkspace | undefined;
  const draw = (workspace: RememberedWorkspace | undefined) => {
    shown = workspace;
    const expired = workspace !== undefined && isExpired(workspace);
    text.textContent = toText(workspace);
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
