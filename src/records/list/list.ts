import type { Call } from '../../kernel/call.ts';
import { cutExcerpt } from '../../kernel/envelope.ts';
import { Json } from '../../kernel/json.ts';
import type { OperationReply } from '../../kernel/operation.ts';
import {
  createListReply,
  cutPageInSteps,
  decodeCursor,
  defaultLimit,
  type ListTexts,
  type Page,
  type PageEntry,
  pickPage,
} from '../../kernel/page.ts';
import { runAtOnce, type Steps } from '../../kernel/steps.ts';
import { trimText } from '../../kernel/text.ts';
import { warnOrRefuse } from '../../kernel/warnings.ts';
import { suggestFilter } from '../../occupations/code.ts';
import { View } from '../../workspace/view.ts';
import { createTests, listFilters, type RecordTest, splitValues } from '../kind/filters.ts';
import type { Kind } from '../kind/kind.ts';
import type { PresentedRecord, ViewedRecord } from '../kind/record.ts';
import { cachedRead } from '../read/cached-read.ts';
import { listInView, openView, visitInView } from '../read/in-view.ts';
import { createRowPicker } from '../read/pick-fields.ts';
import { describeNoWorkspace, readScope, type Scope } from '../read/scope.ts';
import type { Context, RecordService } from '../service.ts';
import { resolveFilters } from './resolve-filters.ts';
import { RecordSorter } from './sorted-page.ts';

export interface ListInput {
  status?: string;
  occupation?: string;
  scope?: string;
  limit?: number;
  cursor?: string;
  fields?: string;
  sort?: string;
  meets?: boolean;
  [filter: string]: unknown;
}

/** Says that nothing matches, and what to send instead. */
function explainNone(
  { plural, lifecycle, filters }: Kind,
  { occupation = '' }: ListInput,
  { service, scope }: { service: RecordService; scope: Scope },
): string {
  const code = trimText(occupation);
  const hint = suggestFilter(code, service);
  const none = `No ${plural}${scope === 'workspace' ? ' of your workspace' : ''} match`;
  const wider = scope === 'workspace' ? ' scope=all shows the public seed too.' : '';
  if (hint) return `${none}: ${hint}.${wider}`;
  if (/\p{L}{2}/u.test(code)) {
    const q = encodeURIComponent(cutExcerpt(code));
    return `${none}: occupation is a code, and words are none.${wider} Find one with listOccupations, at /occupations?q=${q}`;
  }
  const filterNames = Object.keys({ ...filters, ...listFilters }).join(' and ');
  return `${none}. Known status values: ${lifecycle.statuses.join(', ')}; occupation is an O*NET-SOC code, SOC code or major group; there are the filters ${filterNames} too. Leave a filter out to widen.${wider}`;
}

const createTexts = (
  kind: Kind,
  input: ListInput,
  listed: { service: RecordService; scope: Scope },
): ListTexts => ({
  path: kind.path,
  member: kind.collection,
  explainNone: () => explainNone(kind, input, listed),
});

/** Leaves only `fields` in the rows of a page, and adds what the filters of the query say of them. */
function* pickFields(kind: Kind, page: Page<PresentedRecord>, input: ListInput): Steps<Page<object>> {
  const { fields } = input;
  const presenting = Object.entries(kind.filters).flatMap(([name, { present }]) =>
    present && input[name] !== undefined
      ? [(record: object) => present({ ...record }, String(input[name]))]
      : [],
  );
  if (fields === undefined && presenting.length === 0) return page;
  const pick = createRowPicker(kind, fields);
  const entries: PageEntry<object>[] = [];
  for (const { row, position } of page.entries) {
    const picked = pick(row);
    const added = presenting.map((present) => present(row.value));
    entries.push({
      row: added.length > 0 ? Json.of(Object.assign({}, picked.value, ...added)) : picked,
      position,
    });
    yield;
  }
  return { ...page, entries };
}

/** Returns the query of a list with the sort that its filters have, if it names none. */
export function withUsualSort<T extends Readonly<Record<string, unknown>>>(
  { filters }: Pick<Kind, 'filters'>,
  query: T,
): T {
  if (query.sort !== undefined) return query;
  const [sort] = Object.entries(filters).flatMap(([name, { usualSort }]) =>
    usualSort !== undefined && query[name] !== undefined ? [usualSort] : [],
  );
  return sort === undefined ? query : { ...query, sort };
}

function pickSeedPage(
  kind: Kind,
  rows: ViewedRecord[],
  { limit = defaultLimit, cursor, sort }: ListInput,
): Page<PresentedRecord> {
  if (sort === undefined) return pickPage(kind.collection, rows, { limit, cursor });
  const sorter = new RecordSorter(kind, { sort, limit, cursor });
  for (const row of rows) sorter.add(row);
  return runAtOnce(sorter.readPage());
}

export function listSeed(kind: Kind, query: ListInput, { service, call }: SeedContext): OperationReply {
  const input = withUsualSort(kind, query);
  const tests = createTests(kind.filters, input, new View(service.seed.workspace));
  const rows = service.seed.rows[kind.name]!.filter((row) => tests.every(({ passes }) => passes(row)));
  const page = runAtOnce(pickFields(kind, pickSeedPage(kind, rows, input), input));
  return createListReply(createTexts(kind, input, { service, scope: 'public' }), page, input, { call });
}

type SeedContext = { service: RecordService; call?: Call };

/** Returns the first records after a position: one more than `most` if there are more. */
function* readFirst(
  kind: Kind,
  { scope, after, most }: { scope: Scope; after: number; most: number },
  context: Context,
): Steps<ViewedRecord[]> {
  const rows: ViewedRecord[] = [];
  for (const row of listInView(kind, { scope, after }, context)) {
    rows.push(row);
    if (rows.length > most) break;
    yield;
  }
  return rows;
}

interface ListedRecords {
  tests: readonly RecordTest[];
  scope: Scope;
}

function* readSortedPage(
  kind: Kind,
  { tests, scope }: ListedRecords,
  query: { sort: string; limit: number; cursor?: string | undefined },
  context: Context,
): Steps<Page<PresentedRecord>> {
  const sorter = new RecordSorter(kind, query);
  yield* visitInView(kind, { tests, scope, visit: (row) => sorter.add(row) }, context);
  return yield* sorter.readPage();
}

/** Reads a page of the records in a scope. Without a filter and a sort it reads only the records of the page. */
function* readPage(
  kind: Kind,
  { tests, scope }: ListedRecords,
  { limit = defaultLimit, cursor, sort }: ListInput,
  context: Context,
): Steps<Page<PresentedRecord>> {
  if (sort !== undefined)
    return yield* readSortedPage(kind, { tests, scope }, { sort, limit, cursor }, context);
  const { collection, name } = kind;
  const ownCount = context.workspace!.contents.count(name);
  const start = cursor === undefined ? Number.NEGATIVE_INFINITY : (decodeCursor(collection, cursor) ?? 0);
  if (tests.length === 0) {
    const seedCount = scope === 'all' ? context.service.seed.rows[name]!.length : 0;
    const rows = yield* readFirst(kind, { scope, after: start, most: limit }, context);
    return yield* cutPageInSteps(collection, rows, { limit, total: ownCount + seedCount });
  }
  const rows: ViewedRecord[] = [];
  let total = 0;
  const visit = (row: ViewedRecord) => {
    total += 1;
    if (row.position > start && rows.length <= limit) rows.push(row);
  };
  yield* visitInView(kind, { tests, scope, visit }, context);
  return yield* cutPageInSteps(collection, rows, { limit, total });
}

/**
 * Warns of unknown statuses beside known ones, or refuses them if the caller asks for strict handling. If none is known,
 * the list is empty and its message has the known ones.
 */
export function warnOrRefuseStatus(
  { lifecycle: { statuses } }: Kind,
  { status = '' }: { status?: string },
  context: Context,
): void {
  const sent = splitValues(status);
  const unknown = sent.filter((value) => !statuses.includes(value));
  if (unknown.length === 0 || unknown.length === sent.length) return;
  const known = `known are ${statuses.join(', ')}`;
  const problem = `has unknown values (${cutExcerpt(unknown.join(', '))})`;
  const message = `${problem}, which were ignored; ${known}`;
  warnOrRefuse(context, [
    { code: 'unknown_status', path: 'status', message, refusal: `${problem}; ${known}` },
  ]);
}

export function listRecords(
  kind: Kind,
  query: ListInput,
  context: Context,
): OperationReply | Promise<OperationReply> {
  const { call, workspace, service } = context;
  const input = withUsualSort(kind, resolveFilters(kind, query, context));
  const scope = readScope(input, context);
  warnOrRefuseStatus(kind, input, context);
  if (!workspace && scope === 'workspace') {
    const { path, collection: member, plural } = kind;
    return createListReply(
      { path, member, explainNone: () => describeNoWorkspace(plural) },
      { entries: [], total: 0, nextCursor: undefined },
      input,
      {
        call,
      },
    );
  }
  if (!workspace || scope === 'public') return listSeed(kind, input, context);
  const tests = createTests(kind.filters, input, openView(context));
  const texts = createTexts(kind, input, { service, scope });
  return cachedRead(context, input, function* () {
    const page = yield* readPage(kind, { tests, scope }, input, context);
    return createListReply(texts, yield* pickFields(kind, page, input), input, { call });
  });
}
