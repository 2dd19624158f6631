/** Runs both published suites against a deployment. Exits 1 on a failure. */
import { createHash } from 'node:crypto';
import { type DeclarativeSuite, runSuite } from '../src/documents/suite-runner.ts';
import { fetchJson, Mistake, readCommand, readOrigin } from './command.ts';
import { tests } from './verify/harness.ts';

const usage = `npm run verify -- URL

Runs both published suites against the deployment at URL, such as http://localhost:4321.
It exits 1 if a test fails, and 2 if it was not called as above.`;

const origin = readOrigin(readCommand(usage, { allowPositionals: true }).positionals[0]);

interface Listed {
  name: string;
  runner: string;
  digest: string;
  url?: string;
}

/** A suite of the runner api.qa/vitest@1: a module of tests, and the names of the tests that cover each identifier. */
interface ExecutableSuite {
  tests: string;
  coverage: Record<string, string[]>;
}

/** One line of a report: a name, and why it failed, or undefined if it passed. */
type Line = [name: string, problem: string | undefined];

const readText = async (path: string) => (await fetch(origin + path)).text();
const readJson = async (path: string) => JSON.parse(await readText(path));

async function runDeclarative(suite: DeclarativeSuite): Promise<Line[]> {
  const lines: Line[] = [];
  for await (const { row, problems } of runSuite(suite, (path, init) => fetch(origin + path, init)))
    lines.push([row.id, problems.join('; ') || undefined]);
  return lines;
}

const toModule = (source: string) => `data:text/javascript,${encodeURIComponent(source)}`;

/** Resolves the imports of the suite's module: `vitest` is our harness, and `suite:env` exports the origin. */
function withImports(source: string): string {
  const modules: Record<string, string> = {
    vitest: new URL('./verify/harness.ts', import.meta.url).href,
    'suite:env': toModule(`export const origin = ${JSON.stringify(origin)};`),
  };
  return source.replace(/(?<=from\s*)(['"])(vitest|suite:env)\1/g, (_, __, name) =>
    JSON.stringify(modules[name]),
  );
}

/** Returns the operations of the contract and the tools of the card, as identifiers that a coverage map must name. */
async function toDomain(): Promise<string[]> {
  const { paths } = await readJson('/openapi.json');
  const { interfaces } = await readJson('/.well-known/agents.json');
  const operations = Object.values<Record<string, { operationId: string }>>(paths).flatMap(Object.values);
  return [
    ...operations.map(({ operationId }) => `openapi:${operationId}`),
    ...interfaces.mcp.tools.map((name: string) => `mcp:${name}`),
  ];
}

/** Runs the tests of a suite, and checks its coverage map against the contract and the card. */
async function runExecutable({ tests: source, coverage }: ExecutableSuite): Promise<Line[]> {
  await import(toModule(withImports(source)));
  const lines: Line[] = [];
  for (const { name, run } of tests) {
    const problem = await (async () => run())().then(
      () => undefined,
      (error) => error.message,
    );
    lines.push([name, problem]);
  }
  const passed = new Set(lines.filter(([, problem]) => problem === undefined).map(([name]) => name));
  const domain = await toDomain();
  const identifiers = new Set([...domain, ...Object.keys(coverage)]);
  for (const identifier of identifiers) {
    const isCovered = coverage[identifier]?.some((name) => passed.has(name));
    const problem = isCovered ? undefined : 'no passing test covers it';
    lines.push([`coverage of ${identifier}`, domain.includes(identifier) ? problem : 'is not declared']);
  }
  return lines;
}

async function runListed({ runner, digest, url }: Listed): Promise<Line[]> {
  const text = await readText(url!);
  const measured = `sha256:${createHash('sha256').update(text).digest('hex')}`;
  const suite = JSON.parse(text);
  return [
    ['digest', measured === digest ? undefined : `served bytes are ${measured}`],
    ...(await (runner === 'api.qa/suite@1' ? runDeclarative(suite) : runExecutable(suite))),
  ];
}

const { suites }: { suites: Listed[] } = (await fetchJson(`${origin}/verify.json`)).body;
if (!Array.isArray(suites)) throw new Mistake(`${origin}/verify.json lists no suites. Is it this service?`);
for (const suite of suites.filter(({ url }) => url)) {
  const lines = await runListed(suite);
  console.log(`\n${suite.name} (${suite.runner})`);
  for (const [name, problem] of lines) console.log(problem ? `  FAIL ${name}: ${problem}` : `  ok   ${name}`);
  const failed = lines.filter(([, problem]) => problem !== undefined).length;
  console.log(`  ${lines.length - failed} passed, ${failed} failed`);
  if (failed > 0) process.exitCode = 1;
}
