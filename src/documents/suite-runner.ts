/** One requirement of our `api.qa/suite@1` document: a request, and what its reply must have. */
export interface SuiteRow {
  id: string;
  kind: 'endpoint';
  method: 'GET';
  /** Origin-relative. */
  path: string;
  expect: {
    status: number;
    contentTypeIncludes?: string;
    /** Members of a JSON body, and their values. */
    paths?: { path: string; equals: string }[];
  };
}

export interface DeclarativeSuite {
  requirements: SuiteRow[];
}

/** The result of one row. `problems` is empty if it passed. `status` is absent if there was no reply. */
export interface SuiteResult {
  row: SuiteRow;
  status?: number;
  problems: string[];
}

type SuiteFetch = (path: string, init: RequestInit) => Promise<Response>;

export function describeExpectation({
  expect: { status, contentTypeIncludes, paths = [] },
}: SuiteRow): string {
  return [
    `answers ${status}`,
    ...(contentTypeIncludes ? [`type ${contentTypeIncludes}`] : []),
    ...paths.map(({ path, equals }) => `${path} is ${JSON.stringify(equals)}`),
  ].join(', ');
}

async function checkAnswer(answer: Response, { expect }: SuiteRow): Promise<string[]> {
  const { status, contentTypeIncludes = '', paths = [] } = expect;
  const type = answer.headers.get('content-type') ?? '';
  const body = (await answer.json().catch(() => undefined)) ?? {};
  const wrong = paths.filter(({ path, equals }) => body[path] !== equals);
  return [
    ...(answer.status === status ? [] : [`answered ${answer.status}, not ${status}`]),
    ...(type.includes(contentTypeIncludes)
      ? []
      : [`the type is ${type || 'absent'}, without ${contentTypeIncludes}`]),
    ...wrong.map(
      ({ path, equals }) => `${path} is ${JSON.stringify(body[path])}; it must be ${JSON.stringify(equals)}`,
    ),
  ];
}

/** Sends the requests of a declarative suite one after another, and yields the result of each row. */
export async function* runSuite({ requirements }: DeclarativeSuite, fetch: SuiteFetch) {
  for (const row of requirements) {
    const result: SuiteResult = { row, problems: [] };
    try {
      const answer = await fetch(row.path, { headers: { Accept: 'application/json' } });
      result.status = answer.status;
      result.problems = await checkAnswer(answer, row);
    } catch (error) {
      result.problems = [(error as Error).message];
    }
    yield result;
  }
}
