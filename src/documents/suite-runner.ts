import { checkSchema, isSame, type SuiteSchema } from './suite-schema.ts';

/** One requirement of an `api.qa/suite@1` document: a request and what its answer must be. */
export interface SuiteRow {
  id: string;
  kind: 'endpoint';
  method: 'GET' | 'HEAD';
  /** Origin-relative; may hold `{{var}}`. */
  path: string;
  expect: SuiteExpect;
  /** Variables taken from the body of an answer that passed, by their path in it. */
  capture?: Record<string, string>;
}

export interface SuiteExpect {
  /** 200 unless said. */
  status?: number | number[];
  contentTypeIncludes?: string;
  schema?: SuiteSchema;
  paths?: PathRule[];
}

/** What stands at a dotted path of the body: `occupations.0.id`. */
export interface PathRule {
  path: string;
  exists?: boolean;
  equals?: unknown;
  oneOf?: unknown[];
  gt?: number;
  gte?: number;
  lt?: number;
  lte?: number;
}

export interface Suite {
  name: string;
  version: string;
  environments: Record<string, { vars: Record<string, unknown> }>;
  requirements: SuiteRow[];
}

/** How one row went. `problems` is empty where it passed. */
export interface SuiteResult {
  row: SuiteRow;
  /** The path that was asked, variables filled in. */
  path: string;
  status: number | undefined;
  problems: string[];
}

interface AnswerLike {
  status: number;
  headers: { get(name: string): string | null };
  text(): Promise<string>;
}

export type SuiteFetch = (
  path: string,
  init: { method: string; headers: Record<string, string> },
) => Promise<AnswerLike>;

type Vars = Record<string, unknown>;

function fill<T>(value: T, vars: Vars): T {
  if (typeof value === 'string') {
    return value.replace(/\{\{\s*([\w.-]+)\s*\}\}/g, (_, name: string) => {
      if (!Object.hasOwn(vars, name)) throw new Error(`the variable ${name} is not known`);
      return String(vars[name]);
    }) as T;
  }
  if (Array.isArray(value)) return value.map((one) => fill(one, vars)) as T;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, fill(one, vars)])) as T;
}

function valueAt(body: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((value, name) => {
    const isHolder = typeof value === 'object' && value !== null && Object.hasOwn(value, name);
    return isHolder ? (value as Record<string, unknown>)[name] : undefined;
  }, body);
}

function checkPath(body: unknown, { path, ...rule }: PathRule): string[] {
  const value = valueAt(body, path);
  const shown = value === undefined ? 'absent' : JSON.stringify(value).slice(0, 80);
  const number = typeof value === 'number' ? value : Number.NaN;
  const holds = [
    rule.exists === undefined || (value !== undefined) === rule.exists,
    !('equals' in rule) || isSame(value, rule.equals),
    rule.oneOf === undefined || rule.oneOf.some((one) => isSame(one, value)),
    rule.gt === undefined || number > rule.gt,
    rule.gte === undefined || number >= rule.gte,
    rule.lt === undefined || number < rule.lt,
    rule.lte === undefined || number <= rule.lte,
  ];
  return holds.every(Boolean) ? [] : [`${path} is ${shown}; it must be ${toRuleText(rule)}`];
}

function toRuleText({ exists, oneOf, gt, gte, lt, lte, ...rule }: Omit<PathRule, 'path'>): string {
  return [
    exists === undefined ? '' : exists ? 'there' : 'absent',
    'equals' in rule ? JSON.stringify(rule.equals) : '',
    oneOf ? `one of ${JSON.stringify(oneOf)}` : '',
    gt === undefined ? '' : `above ${gt}`,
    gte === undefined ? '' : `at least ${gte}`,
    lt === undefined ? '' : `below ${lt}`,
    lte === undefined ? '' : `at most ${lte}`,
  ]
    .filter(Boolean)
    .join(' and ');
}

/** What a row expects, in words. */
export function toExpectText({ expect }: SuiteRow): string {
  const { status = 200, contentTypeIncludes, schema, paths = [] } = expect;
  return [
    `answers ${[status].flat().join(' or ')}`,
    contentTypeIncludes ? `type ${contentTypeIncludes}` : '',
    schema ? 'a body of the stated schema' : '',
    ...paths.map(({ path, ...rule }) => `${path} is ${toRuleText(rule)}`),
  ]
    .filter(Boolean)
    .join(', ');
}

async function checkAnswer(
  answer: AnswerLike,
  method: string,
  expect: SuiteExpect,
): Promise<[string[], unknown]> {
  const { status = 200, contentTypeIncludes, schema, paths = [] } = expect;
  const wanted = [status].flat();
  const type = answer.headers.get('content-type') ?? '';
  const problems: string[] = [];
  if (!wanted.includes(answer.status)) problems.push(`answered ${answer.status}, not ${wanted.join(' or ')}`);
  if (contentTypeIncludes !== undefined && !type.includes(contentTypeIncludes)) {
    problems.push(`the type is ${type || 'absent'}, without ${contentTypeIncludes}`);
  }
  if (method === 'HEAD') return [problems, undefined];
  const text = await answer.text();
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    if (schema || paths.length > 0) problems.push('the body is not JSON');
    return [problems, undefined];
  }
  if (schema) problems.push(...checkSchema(body, schema));
  return [[...problems, ...paths.flatMap((rule) => checkPath(body, rule))], body];
}

/** Refuses an address that would leave the origin: a captured value may not either. */
function holdToOrigin(path: string): void {
  const origin = 'http://origin.invalid';
  if (!path.startsWith('/') || new URL(path, origin).origin !== origin)
    throw new Error(`${path} leaves the origin`);
}

async function runRow(row: SuiteRow, vars: Vars, fetch: SuiteFetch): Promise<SuiteResult> {
  let path = row.path;
  let status: number | undefined;
  try {
    path = fill(row.path, vars);
    const expect = fill(row.expect, vars);
    holdToOrigin(path);
    const answer = await fetch(path, { method: row.method, headers: { Accept: 'application/json' } });
    status = answer.status;
    const [problems, body] = await checkAnswer(answer, row.method, expect);
    if (problems.length === 0) {
      for (const [name, place] of Object.entries(row.capture ?? {})) vars[name] = valueAt(body, place);
    }
    return { row, path, status, problems };
  } catch (error) {
    return { row, path, status, problems: [(error as Error).message] };
  }
}

/**
 * Runs an `api.qa/suite@1` document, row after row, and yields how each went. `fetch` is given an
 * origin-relative path. Throws where the document has no such environment.
 */
export async function* runSuite(
  suite: Suite,
  fetch: SuiteFetch,
  environment = 'public',
): AsyncGenerator<SuiteResult> {
  const chosen = suite.environments[environment];
  if (!chosen) throw new Error(`The suite has no environment ${environment}.`);
  const vars: Vars = { ...chosen.vars };
  for (const row of suite.requirements) yield await runRow(row, vars, fetch);
}
