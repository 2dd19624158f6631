import { readFileSync } from 'node:fs';
import { createVariant } from '../../src/briefs/brief.ts';
import type { Brief } from '../../src/briefs/content-file.ts';
import { kinds } from '../../src/kinds.ts';
import { earlyInMonth } from './claims.ts';
import type { Body } from './http.ts';
import { World } from './world.ts';

/** One call of a solution: what is done, to which record or kind, and with which members. */
export type Step = readonly ['create' | 'update' | 'delete' | 'state' | 'confirm' | 'share', string, Body?];

/** A mistake in a solution, and the check that must fail. */
export interface Mutant {
  /** Steps in place of `drop` steps of the solution, from the index `at` on. */
  at?: number;
  drop?: number;
  add?: readonly Step[];
  fails: string;
}

const names = JSON.parse(readFileSync('content/brief-names.json', 'utf8'));
const plural: Record<string, string> = Object.fromEntries(kinds.map(({ name, path }) => [name, path]));
const toolOf = (verb: string, kind: string) => verb + kind[0]!.toUpperCase() + kind.slice(1);
const others = { state: 'stateOutcome', confirm: 'requestConfirmation', share: 'createShortlist' } as const;
const below = { state: '/outcome', confirm: '/confirmations', share: '/shortlist' } as const;

export const readBrief = (id: string): Brief => JSON.parse(readFileSync(`content/briefs/${id}.json`, 'utf8'));

export const openBriefs = (parts: object = {}): World =>
  new World({ ...earlyInMonth, settings: { recordCeiling: 250 }, ...parts });

const mcpHeaders = {
  host: 'localhost',
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
};

async function callTool({ ask }: World, name: string, args: object) {
  const params = { name, arguments: args };
  const { body } = await ask(
    'POST',
    '/mcp',
    { jsonrpc: '2.0', id: 1, method: 'tools/call', params },
    mcpHeaders,
  );
  return body.result?.structuredContent ?? body;
}

/** Starts a brief, and takes steps of a solution in its workspace over a protocol. */
export async function startBrief(world: World, id: string, variant = 0) {
  const { status, body } = await world.post(`/briefs/${id}/start`, { variant });
  if (status !== 201) throw new Error(JSON.stringify(body));
  const mine = { 'x-workspace': body.workspace };
  const day = new Date(world.clock.now).toISOString().slice(0, 10);
  const brief = readBrief(id);
  const told = createVariant(brief, names, variant, day);
  const exported = (await world.get('/workspace/export', mine)).body;
  const ids = new Map<string, { id: string; kind: string }>();
  for (const { name, collection } of kinds)
    for (const [index, item] of (told.fixture[collection] ?? []).entries())
      ids.set(item.ref as string, { id: exported[collection][index].id, kind: name });

  const resolve = (members: Body = {}) =>
    Object.fromEntries(
      Object.entries(members).map(([name, value]) => [
        name,
        typeof value === 'string' && value.startsWith('#') ? ids.get(value.slice(1))!.id : value,
      ]),
    );

  /** Takes steps, with placeholders for names and days filled in as in the brief. */
  async function take(steps: readonly Step[], door: 'http' | 'mcp'): Promise<void> {
    const filled = createVariant({ ...brief, steps } as Brief, names, variant, day) as Brief & {
      steps: Step[];
    };
    for (const [verb, what, { key, ...members } = {} as Body] of filled.steps) {
      const at = ids.get(what);
      const args = resolve(members);
      const kind = at?.kind ?? what;
      let reply: Body;
      if (door === 'mcp' && verb !== 'delete') {
        const name = verb === 'create' || verb === 'update' ? toolOf(verb, kind) : others[verb];
        reply = await callTool(world, name, { ...(at && { id: at.id }), ...args, workspace: body.workspace });
      } else {
        const path = plural[kind]! + (at ? `/${at.id}` : '') + (verb in below ? below[verb as 'state'] : '');
        const method = verb === 'update' ? 'PATCH' : verb === 'delete' ? 'DELETE' : 'POST';
        reply = (await world.ask(method, path, verb === 'delete' ? undefined : args, mine)).body;
      }
      if (reply.type !== 'OK') throw new Error(`${verb} ${what}: ${JSON.stringify(reply)}`);
      if (key) ids.set(key, { id: reply[what].id, kind: what });
    }
  }

  const grade = async () => (await world.get('/grade', { 'x-grader': body.grader })).body.grade;
  return { ...body, mine, told, ids, take, grade };
}
