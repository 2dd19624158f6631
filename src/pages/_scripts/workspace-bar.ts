import { need } from './dom.ts';
import { exportWorkspace } from './export.ts';
import {
  forgetWorkspace,
  isExpired,
  type KeptWorkspace,
  toTimeLeft,
  useWorkspace,
  watchWorkspace,
} from './workspace.ts';

const toShort = (id: string) => `${id.slice(0, 9)}…${id.slice(-4)}`;

function toText(workspace: KeptWorkspace | undefined): string {
  if (!workspace) return 'No workspace yet. A create without one mints it.';
  if (isExpired(workspace)) return `Workspace ${toShort(workspace.id)} has expired.`;
  const left = Date.parse(workspace.expiresAt) - Date.now();
  return `Workspace ${toShort(workspace.id)}, ${toTimeLeft(left)} left.`;
}

/** Shows the remembered workspace in a bar, with its time left and what can be done with it. */
export function attachWorkspaceBar(bar: HTMLElement): void {
  const text = need<HTMLElement>(bar, '[data-workspace-text]');
  const use = need<HTMLElement>(bar, '[data-workspace-use]');
  const box = need<HTMLInputElement>(use, 'input');
  const actions = need<HTMLElement>(bar, '[data-workspace-actions]');
  const exporting = need<HTMLButtonElement>(bar, '[data-export]');
  let shown: KeptWorkspace | undefined;
  const draw = (workspace: KeptWorkspace | undefined) => {
    shown = workspace;
    const expired = workspace !== undefined && isExpired(workspace);
    text.textContent = toText(workspace);
    use.hidden = !workspace || expired;
    actions.hidden = !workspace;
    exporting.hidden = expired;
    box.checked = workspace?.use ?? true;
  };
  watchWorkspace(draw);
  setInterval(() => draw(shown), 20_000);
  box.addEventListener('change', () => useWorkspace(box.checked));
  need(bar, '[data-forget]').addEventListener('click', () => forgetWorkspace());
  exporting.addEventListener('click', async () => {
    if (!shown) return;
    exporting.disabled = true;
    try {
      await exportWorkspace(shown);
    } catch (error) {
      text.textContent = `Not exported: ${(error as Error).message}`;
    } finally {
      exporting.disabled = false;
    }
  });
}
