import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Facts } from '../referees/servers/facts.ts';
import { creates } from './requests.ts';
import { type Answer, get, post, send } from './wire.ts';

const ofTheBody = ['content-length', 'content-type'];
const ofTheCreate = ['location', 'x-workspace'];

function toHeaders({ headers }: Answer): Record<string, string> {
  const pairs = headers.flatMap((name, index) => (index % 2 ? [] : [[name, headers[index + 1]!] as const]));
  const left = pairs.filter(([name]) => ![...ofTheBody, ...ofTheCreate].includes(name.toLowerCase()));
  return { 'Content-Type': 'application/json; charset=utf-8', ...Object.fromEntries(left) };
}

/** Asks our server what the peers are to answer, and writes it into `folder`; answers the file. */
export async function writeFacts(port: number, folder: string): Promise<string> {
  const ask = async (path: string) => JSON.parse((await send(port, get(path))).body.toString('utf8'));
  const list = await send(port, get('/placements?status=completed'));
  const created = await send(port, creates[0]!);
  const tools = await send(port, post('/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/list' }));
  const facts: Facts = {
    placements: (await ask('/placements')).placements,
    candidates: (await ask('/candidates')).candidates,
    codes: (await ask('/occupations')).occupations.map(({ id }: { id: string }) => id),
    listHeaders: toHeaders(list),
    createHeaders: toHeaders(created),
    created: JSON.parse(created.body.toString('utf8')),
    tool: JSON.parse(tools.body.toString('utf8')).result.tools.find(
      ({ name }: { name: string }) => name === 'listPlacements',
    ),
  };
  const file = join(folder, 'facts.json');
  writeFileSync(file, JSON.stringify(facts));
  return file;
}
