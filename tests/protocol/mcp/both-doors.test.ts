import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { hasBody } from '../../../src/kernel/operation.ts';
import { kinds } from '../../../src/kinds.ts';
import type { Kind } from '../../../src/records/kind/kind.ts';
import type { Body } from '../../support/http.ts';
import { createRandom } from '../../support/random-desk.ts';
import { createArguments, findRow, listTools, makeSampleWorkspace } from '../../support/tool-samples.ts';
import { World } from '../../support/world.ts';

const doors = suite('a tool does what its HTTP call does');
const world = new World();
const random = createRandom(11);
const below = (count: number): number => Math.floor(random() * count);
const pick = <T>(items: readonly T[]): T => items[below(items.length)]!;

type Args = Record<string, unknown>;

/** Arguments that HTTP has in headers. */
const headers: Record<string, (value: unknown) => [name: string, text: string]> = {
  workspace: (value) => ['X-Workspace', `${value}`],
  actor: (value) => ['X-Actor', encodeURIComponent(`${value}`)],
  idempotencyKey: (value) => ['Idempotency-Key', `${value}`],
  strict: (value) => ['Prefer', value === true ? 'handling=strict' : 'handling=lenient'],
};
/** What one door alone has, or what the time decides. */
const ofOneDoor = ['clear', 'minimal', 'waitSeconds', 'tag', 'revision'];

/** What a tool takes for an argument that is not sent, if HTTP takes something else. */
const usualOfTools: Record<string, Args> = { exportWorkspace: { history: false } };

/** Makes the HTTP call of the arguments of a tool. */
function callHttp(name: string, { id, ...args }: Args) {
  const { method, path, access } = findRow(name);
  const sent: Record<string, string> = {};
  const rest: Args = { ...usualOfTools[name] };
  for (const [argument, value] of Object.entries(args)) {
    if (value === undefined) continue;
    const isToken = argument === access.capability?.argument;
    if (isToken) sent[access.capability!.header] = `${value}`;
    else if (Object.hasOwn(headers, argument))
      Object.assign(sent, Object.fromEntries([headers[argument]!(value)]));
    else rest[argument] = value;
  }
  const target = path.replace('{id}', encodeURIComponent(`${id}`));
  if (hasBody(method)) return world.ask(method, target, rest, sent);
  const query = new URLSearchParams(Object.entries(rest).map(([key, value]) => [key, `${value}`]));
  return world.ask(method, `${target}?${query}`, undefined, sent);
}

const oddTexts = ['x', 'Zoë', '29-1141.00', '99-9999.00', 'cand_001', '#nobody', '#candidate', '2027-02-30'];
const usualTexts = [
  '2027-03-01',
  'open',
  'proposed,offered',
  'nurse',
  'Columbus, OH',
  'CDL A until 2027-01-01',
];
const texts = [...oddTexts, ...usualTexts, 'a'.repeat(300), 'line\u0007bell', '2026-11-27T09:00:00Z'];
const numbers = [0, 1, -1, 2, 40, 90, 1.5, 101, 1e7];

/** Draws a value of the type that a schema says, which the operation can refuse. */
function draw(schema: Body, depth = 0): unknown {
  if (schema.enum) return random() < 0.8 ? pick(schema.enum) : pick(texts);
  if (schema.type === 'string') return pick(texts);
  if (schema.type === 'integer' || schema.type === 'number') return pick(numbers);
  if (schema.type === 'boolean') return random() < 0.5;
  if (schema.type === 'array' && random() < 0.1) return pick([...texts, [pick(numbers)], [pick(texts)]]);
  if (schema.type === 'array')
    return Array.from({ length: below(3) }, () => draw(schema.items ?? { type: 'string' }, depth + 1));
  const properties = Object.entries<Body>(schema.properties ?? {}).filter(
    ([name]) => !ofOneDoor.includes(name),
  );
  const required: string[] = schema.required ?? [];
  const chosen = properties.filter(([name]) => required.includes(name) || random() < 0.3 / (depth + 1));
  return Object.fromEntries(chosen.map(([name, one]) => [name, draw(one, depth + 1)]));
}

type Path = readonly string[];

/** Lists the paths of all members in a schema. An item of a list has the name `0`. */
function listPaths(schema: Body, path: Path = []): { path: Path; schema: Body }[] {
  const names = Object.keys(schema.properties ?? {}).filter((name) => !ofOneDoor.includes(name));
  if (schema.items?.properties) return listPaths(schema.items, [...path, '0']);
  return names.length === 0
    ? [{ path, schema }]
    : names.flatMap((name) => listPaths(schema.properties[name], [...path, name]));
}

/** Returns a copy of `value` in which the part at `path` is `part`. */
function replace(value: unknown, [name, ...rest]: Path, part: unknown): unknown {
  if (name === undefined) return part;
  if (name === '0') return [replace((value as unknown[] | undefined)?.[0], rest, part)];
  return { ...(value as Args), [name]: replace((value as Args | undefined)?.[name], rest, part) };
}

/** Returns arguments that succeed, to which the member at `path` belongs. */
function createUsual(tool: Body, [list, item, member = '']: Path = []): Args {
  const { revision: _, ...usual } = createArguments(tool, 'WORKSPACE');
  if (tool.inputSchema.properties.limit) return { ...usual, limit: 7 };
  if (tool.name !== 'createBatch' || item === undefined) return usual;
  if (list !== 'changes') return { ...usual, workspace: undefined };
  const ofUpdate = ({ name }: Kind) =>
    tools.find((one) => one.name.toLowerCase() === `update${name}`.toLowerCase())!.inputSchema.properties;
  const { name } = kinds.find((kind) => Object.hasOwn(ofUpdate(kind), member)) ?? kinds[0]!;
  return { workspace: 'WORKSPACE', changes: [{ id: `#${name}`, note: 'Seen.' }] };
}

/** Replaces one argument, down to a member of a record, and asks for strict handling once in two. */
function replaceOne(tool: Body, { path, schema }: { path: Path; schema: Body }): Args {
  const isStrict = tool.inputSchema.properties.strict && path[0] !== 'strict' && random() < 0.5;
  const args = replace(createUsual(tool, path), path, draw(schema)) as Args;
  return { ...args, ...(isStrict && { strict: true }) };
}

/** Replaces some arguments that succeed by others. */
function change(tool: Body, args: Args): Args {
  const properties = Object.entries<Body>(tool.inputSchema.properties);
  const names = properties.filter(
    ([name]) => !ofOneDoor.includes(name) && !['workspace', 'id'].includes(name),
  );
  const changed = { ...args };
  for (let count = below(3); count >= 0 && names.length > 0; count -= 1) {
    const [name, schema] = pick(names);
    if (random() < 0.15) delete changed[name];
    else changed[name] = draw(schema);
  }
  if (random() < 0.1 && changed.id) changed.id = pick(oddTexts);
  if (random() < 0.05 && changed.workspace) changed.workspace = 'ws_unknown';
  return changed;
}

/** What differs between two answers to the same call: ids, tokens, times and codes for people. */
const own =
  /\b(?:cand|job|plc|ws|cnf|sl|clm|grd)_[\w-]+|\d{4}-\d\d-\d\dT[\d:.]+Z|\b[A-Z0-9]{4}-[A-Z0-9]{4}\b/g;

/** The members that a tool leaves out, and words, which name a header or an argument. */
const isWording = (name: string) => ['links', 'message', 'reason', 'tag', 'recourse', 'help'].includes(name);
const isUnused = (value: unknown) =>
  (Array.isArray(value) && value.length === 0) ||
  (typeof value === 'object' && value !== null && (value as Body).calls === 0);

/** Returns what both doors say alike. */
function reduce(value: unknown): unknown {
  if (Array.isArray(value)) return value.filter((one) => !isUnused(one)).map(reduce);
  if (typeof value !== 'object' || value === null)
    return typeof value === 'string' ? value.replaceAll(own, 'own') : value;
  const members = Object.entries(value).filter(
    ([name, one]) => !isWording(name) && !isUnused(one) && !isUnused(reduce(one)),
  );
  return Object.fromEntries(members.map(([name, one]) => [name, reduce(one)]).toSorted());
}

/** The names of arguments that HTTP has elsewhere. */
const toArgument = (path: string) =>
  Object.keys(headers).find((name) => headers[name]!('')[0] === path) ?? path;

/** What HTTP warns of and a tool refuses, because a model makes ids up. */
const isGuessedId = ({ code }: Body) => code === 'wrong_reference';
const pathsOf = (findings: Body[] = []) => findings.map(({ path }) => toArgument(path)).toSorted();
const reduceIssues = (body: Body): Body => ({
  ...body,
  ...(body.issues && { issues: pathsOf(body.issues.filter((issue: Body) => !isGuessedId(issue))) }),
});

/**
 * Reads what a call has left: the records of its workspace, the activity without the protocol and the client of each entry,
 * and what the token of a shortlist opens.
 */
async function readState(args: Args, reply: Body = {}): Promise<unknown> {
  const mine = { 'X-Workspace': `${args.workspace ?? reply.workspace}` };
  const whole = await world.get('/workspace/export?history=false', mine);
  const { body } = await world.get('/workspace/activity?limit=200', mine);
  const activity = body.activity?.map(({ via: _, client: __, ...entry }: Body) => entry);
  const token = reply.shortlist?.token;
  const opened = token && (await world.get('/shortlist', { 'X-Shortlist': token })).body;
  return reduce({ ...whole.body, ...(activity && { activity }), ...(opened && { opened }) });
}

const tools = await listTools(world);
const shared = await makeSampleWorkspace(world);
let [calls, accepted] = [0, 0];

/** Makes a call by the tool and over HTTP. Compares the replies, and the workspaces after a change. */
async function compare(name: string, args: Args): Promise<void> {
  const isRead = findRow(name).effect === 'read';
  const make = async () => (isRead ? shared : makeSampleWorkspace(world));
  const inside = async (): Promise<Args> =>
    args.workspace === 'WORKSPACE' ? { ...args, workspace: await make() } : args;
  const [ofTool, ofHttp] = [await inside(), await inside()];
  const { structuredContent, isError = false } = await world.tool(name, ofTool);
  const http = await callHttp(name, ofHttp);
  const told = JSON.stringify(args);
  calls += 1;
  accepted += Number(http.status < 400);
  const guessed = pathsOf(structuredContent.issues?.filter(isGuessedId));
  if (guessed.length > 0 && http.status < 400)
    return assert.equal(pathsOf(http.body.warnings.filter(isGuessedId)), guessed, told);

  assert.is(structuredContent.code, http.body?.code, `${told}\n${http.text}`);
  // A read that finds nothing has done what it was asked for, and so has the tool that reads the offer.
  const isAsked = http.body?.type === 'EMPTY' ? isRead : name === 'getOffer' && http.body?.type === 'OFFER';
  assert.is(isError, http.status >= 400 && !isAsked, told);
  assert.equal(reduce(reduceIssues(structuredContent)), reduce(reduceIssues(http.body ?? {})), told);
  if (isRead) return;
  const byTool = await readState(ofTool, structuredContent);
  assert.equal(byTool, await readState(ofHttp, http.body), `the workspace after ${told}`);
}

for (const tool of tools)
  doors(tool.name, async () => {
    for (const argument of listPaths(tool.inputSchema))
      for (let run = 0; run < 2; run += 1) await compare(tool.name, replaceOne(tool, argument));
    for (let run = 0; run < 8; run += 1) await compare(tool.name, change(tool, createUsual(tool)));
  });

doors('the token of a brief opens the same grade', async () => {
  const started = await world.tool('startBrief', { id: 'messy-titles' });
  const { grader } = started.structuredContent;
  const { structuredContent } = await world.tool('gradeBrief', { grader });
  assert.is(structuredContent.grade.passed, false);
  const { body } = await world.get('/grade', { 'X-Grader': grader });
  assert.equal(reduce(structuredContent), reduce(body));
});

doors('and many of the calls are accepted', () => {
  assert.ok(accepted > calls / 4, `${accepted} of ${calls}`);
});

doors.run();
