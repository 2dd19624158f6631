import * as assert from 'uvu/assert';
import type { Told } from '../core.ts';
import type { Body } from '../http.ts';
import { effects } from './effects.ts';
import { type KindName, kindOf } from './members.ts';
import type { Verdict } from './rules.ts';
import { hold, retentionSeconds } from './subject.ts';
import { isAlive, nowOf, type Space, type World } from './world.ts';

/** One change, ready to be sent. */
export interface Change {
  op: 'create' | 'batch' | 'update' | 'remove' | 'erase';
  kind?: KindName;
  id?: string;
  body?: Body;
  key?: string | undefined;
  isStrict?: boolean;
  ifMatch?: string | undefined;
  /** Where it is made; a create in none makes one. */
  space: Space | undefined;
}

const methods = { create: 'POST', batch: 'POST', update: 'PATCH', remove: 'DELETE', erase: 'DELETE' };

function toPath({ op, kind, id }: Change): string {
  if (op === 'batch') return '/batch';
  if (op === 'erase') return '/workspace';
  return id === undefined ? kindOf[kind!].path : `${kindOf[kind!].path}/${id}`;
}

export const inside = (space: Space | undefined): Record<string, string> =>
  space ? { 'X-Workspace': space.id } : {};

const toHeaders = ({ key, isStrict, ifMatch, space }: Change): Record<string, string> => ({
  ...inside(space),
  ...(key !== undefined && { 'Idempotency-Key': key }),
  ...(isStrict && { Prefer: 'handling=strict' }),
  ...(ifMatch !== undefined && { 'If-Match': ifMatch }),
});

/** What depends on the pay of an occupation is no part of the model: `occupations/pay.test.ts` holds it. */
const isOfPay = ({ code }: Body) => code === 'unusual_rate';

/** Holds warnings to those expected, in any order; of very many only the first are told. */
function holdWarnings(said: Body[] = [], expected: Verdict['warnings'], what: string): void {
  const write = ({ code, path }: Body) => `${code} at ${path}`;
  const wanted = expected.map(write).sort();
  const isCut = said.at(-1)?.path === '';
  const told = (isCut ? said.slice(0, -1) : said)
    .filter((one) => !isOfPay(one))
    .map(write)
    .sort();
  if (isCut) for (const one of told) assert.ok(wanted.includes(one), `${what} warned of ${one}`);
  else hold(told, wanted, `${what} warned otherwise`);
}

/** Holds a refusal to those that may be told; true where it has to be refused. */
function isRefused({ refusals, warnings }: Verdict, change: Change, reply: Told, what: string): boolean {
  const { isStrict } = change;
  if (isStrict && warnings.length > 0) {
    const isMendable = warnings.some(({ code }) => code === 'unknown_name');
    refusals.add(isMendable ? '400 invalid_request' : '409 conflict');
  }
  if (refusals.size === 0) return false;
  const { status, body } = reply;
  const said = `${status} ${body.code ?? body.id ?? body.type}`;
  assert.ok(refusals.has(said), `${what}: expected ${[...refusals]}`);
  if (isStrict) assert.is(reply.headers['Preference-Applied'], 'handling=strict', what);
  return true;
}

/** The reply that is kept under the key of a change, as long as it is. */
function findKept(world: World, { op, kind, id, body, key, space }: Change) {
  const name = `${op} ${kind} ${key}`;
  const what = JSON.stringify([id, body]);
  const found = key === undefined ? undefined : space ? space.kept.get(name) : world.keyless.get(name);
  const isErased = found && 'space' in found && (found.space as Space).isErased;
  return {
    kept: found && !isErased && nowOf(world) < found.until ? found : undefined,
    what,
    keep({ status, text }: Told, made: Space) {
      const kept = { what, status, text, until: nowOf(world) + retentionSeconds * 1000 };
      if (space) space.kept.set(name, kept);
      else world.keyless.set(name, { ...kept, space: made });
    },
  };
}

function count({ tally }: World, what: string): void {
  tally[what] = (tally[what] ?? 0) + 1;
}

/** Sends a change and holds its reply to the model, which is then changed alike. Answers whether it was made. */
export async function send(world: World, change: Change): Promise<boolean> {
  const { op, kind, space, body, key, ifMatch } = change;
  const { ask } = world.subject;
  const path = toPath(change);
  const read = () => ask('GET', path, inside(space));
  const tag = ifMatch === undefined ? undefined : (await read()).headers.ETag;
  const reply = await ask(methods[op], path, toHeaders(change), body);
  const { status, text, headers } = reply;
  const what = `${methods[op]} ${path} ${JSON.stringify(body)} answered ${status} ${text}`;
  count(world, `${op} ${status}`);
  if (space && !isAlive(world, space)) {
    hold([status, reply.body.code], [401, 'unknown_workspace'], what);
    return false;
  }
  const { kept, what: asked, keep } = findKept(world, change);
  if (kept?.what === asked) {
    hold([status, text, headers['Idempotency-Replayed']], [kept.status, kept.text, 'true'], what);
    count(world, 'replayed');
    return false;
  }
  assert.is(headers['Idempotency-Replayed'], undefined, what);
  const { verdict, apply } = effects[op](world, change, tag);
  if (kept) verdict.refusals.add('422 idempotency_mismatch');
  if (isRefused(verdict, change, reply, what)) return false;
  const made = apply(reply, what);
  if (op === 'erase') return true;
  made.expiresAt = Math.max(made.expiresAt, nowOf(world) + retentionSeconds * 1000);
  holdWarnings(reply.body.warnings, verdict.warnings, what);
  if (op === 'update') {
    const again = await read();
    hold([again.headers.ETag, again.body[kind!]], [headers.ETag, reply.body[kind!]], what);
  }
  if (key !== undefined) {
    keep(reply, made);
    world.sent.push(change);
  }
  return true;
}
