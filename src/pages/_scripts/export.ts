import { el } from './dom.ts';
import type { KeptWorkspace } from './workspace.ts';

const collections = [
  { path: '/candidates', member: 'candidates' },
  { path: '/job-orders', member: 'jobOrders' },
  { path: '/placements', member: 'placements' },
];

interface Row {
  example: boolean;
}

/** Every record of one collection that the workspace itself holds, over all pages. */
async function readOwn(path: string, member: string, workspace: string): Promise<Row[]> {
  const own: Row[] = [];
  let cursor: string | undefined;
  do {
    const query = new URLSearchParams({ limit: '200', ...(cursor && { cursor }) });
    const response = await fetch(`${path}?${query}`, { headers: { 'X-Workspace': workspace } });
    const body = await response.json();
    if (!response.ok) throw new Error(body.reason ?? `${path} answered ${response.status}`);
    own.push(...((body[member] ?? []) as Row[]).filter(({ example }) => !example));
    cursor = body.nextCursor;
  } while (cursor !== undefined);
  return own;
}

/** Downloads what a workspace holds as one JSON file. Throws with the service's own reason where it is refused. */
export async function exportWorkspace({ id, expiresAt }: KeptWorkspace): Promise<void> {
  const rows = await Promise.all(
    collections.map(async ({ path, member }) => [member, await readOwn(path, member, id)] as const),
  );
  const content = {
    workspace: id,
    expiresAt,
    exportedAt: new Date().toISOString(),
    ...Object.fromEntries(rows),
  };
  const blob = new Blob([JSON.stringify(content, null, 2)], { type: 'application/json' });
  const link = el('a', { href: URL.createObjectURL(blob), download: `workspace-${id.slice(3, 9)}.json` });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
