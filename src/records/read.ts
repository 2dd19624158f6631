import type { Call } from '../kernel/call.ts';
import { Json, quote } from '../kernel/json.ts';
import type { Context, Outcome } from '../kernel/operation.ts';
import { defaultLimit, type Listed, type Positioned, toListReply, toPage } from '../kernel/page.ts';
import { toUnder } from '../occupations/code.ts';
import type { Kind, Row } from './kind.ts';
import { toReferences, toWorkspaceView, type View } from './view.ts';

export type ListInput = {
  status?: string;
  occupation?: string;
  scope?: string;
  limit?: number;
  cursor?: string;
};

/** The records that a caller sees: the seed, with those of its workspace first. */
function listView<T>({ service, workspace }: Context, use: (view: View) => T): T | Promise<T> {
  const { seed, store, platform } = service;
  if (!workspace) return use(seed);
  const now = platform.now();
  return store.readAll(workspace.hash, now).then((records) => use(toWorkspaceView(seed, records, now)));
}

function toListed({ path, collection, plural, statuses }: Kind): Listed {
  const none = `No ${plural} match. Known status values: ${statuses.join(', ')}; occupation is an O*NET-SOC code, SOC code or major group. Leave a filter out to widen.`;
  return { path, member: collection, none };
}

/** One page of a kind, as filtered. */
export function toPageOf(kind: Kind, rows: Positioned<Row>[], input: ListInput, call?: Call): Outcome {
  const { status, occupation, limit = defaultLimit, cursor } = input;
  const isUnder = toUnder(occupation);
  const matching = rows.filter(
    ({ row: { value } }) => (status === undefined || value.status === status) && isUnder(value.onetCode),
  );
  return toListReply(toListed(kind), toPage(kind.collection, matching, { limit, cursor }), input, call);
}

const scopes = ['public', 'workspace'];

/** Answers the list of a kind. */
export function list(kind: Kind, input: ListInput, context: Context): Outcome | Promise<Outcome> {
  const { service, call, warnings } = context;
  const { scope } = input;
  const answer = kind.list?.answer?.(input, service);
  if (answer) return answer;
  if (scope !== undefined && !scopes.includes(scope))
    warnings.push({ path: 'scope', message: 'is not public or workspace and was ignored' });
  if (scope === 'public') return toPageOf(kind, service.seed.rows[kind.name]!, input, call);
  return listView(context, ({ rows }) => {
    const all = rows[kind.name]!;
    const seen = scope === 'workspace' ? all.filter(({ position }) => position < 0) : all;
    return toPageOf(kind, seen, input, call);
  });
}

/** The OK envelope of one record. */
function toRecordBody(name: string, row: Json<Row>): Json<object> {
  const head = `{"type":"OK","${name}":`;
  return Json.from<object>({
    value: () => ({ type: 'OK', [name]: row.value }),
    text: () => `${head}${row.text}}`,
    quoted: () => `${quote(head)}${row.quoted}}`,
  });
}

function toRecordReply({ name, noun, path }: Kind, id: string, view: View): Outcome {
  const found = view.rows[name]!.find(({ row }) => row.value.id === id);
  if (found) return { status: 200, body: toRecordBody(name, found.row) };
  const message = `No ${noun} has this id in view. List ${path} for those there are; one that you made needs its X-Workspace (or the argument workspace).`;
  return { status: 404, body: { type: 'EMPTY', message, links: { list: path } } };
}

/** What bears on one record: that record, what it refers to, and what holds it. */
async function toViewOf(id: string, { service, workspace }: Context): Promise<View> {
  const { seed, store, platform } = service;
  const now = platform.now();
  const near = await store.find(workspace!.hash, now, [id]);
  const own = near.find(({ fact }) => fact.id === id);
  const ids = own ? toReferences(own.kind, own.fact).map((reference) => reference.id) : [];
  const around = ids.length > 0 ? await store.find(workspace!.hash, now, ids) : [];
  return toWorkspaceView(seed, [...around, ...near], now);
}

/** Answers one record of a kind, or EMPTY. */
export function get(kind: Kind, id: string, context: Context): Outcome | Promise<Outcome> {
  if (!context.workspace) return toRecordReply(kind, id, context.service.seed);
  return toViewOf(id, context).then((view) => toRecordReply(kind, id, view));
}
