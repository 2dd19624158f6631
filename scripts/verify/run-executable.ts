import { registerHooks } from 'node:module';
import { type SuiteTest, tests } from './harness.ts';

/** One line of a report. */
export interface Line {
  name: string;
  /** Why it failed; undefined where it passed. */
  problem: string | undefined;
}

interface ExecutableSuite {
  tests: string;
  coverage: Record<string, string[]>;
}

const toModule = (source: string) => `data:text/javascript,${encodeURIComponent(source)}`;

/** Gives a suite's module what it imports: `vitest` is our harness, `suite:env` names the origin. */
function resolveImports(origin: string): () => void {
  const environment = `export const origin = ${JSON.stringify(origin)};`;
  const known: Record<string, string> = {
    vitest: new URL('./harness.ts', import.meta.url).href,
    'suite:env': toModule(environment),
  };
  const hooks = registerHooks({
    resolve(specifier, context, next) {
      const url = known[specifier];
      return url ? { url, shortCircuit: true } : next(specifier, context);
    },
  });
  return () => hooks.deregister();
}

async function runTest({ name, run }: SuiteTest): Promise<Line> {
  try {
    await run();
    return { name, problem: undefined };
  } catch (error) {
    return { name, problem: (error as Error).message };
  }
}

/** What the contract and the card declare, as identifiers that a coverage map must name. */
async function toDomain(origin: string): Promise<string[]> {
  const read = async (path: string) => (await fetch(origin + path)).json();
  const contract = (await read('/openapi.json')) as {
    paths: Record<string, Record<string, { operationId: string }>>;
  };
  const card = (await read('/.well-known/agents.json')) as { interfaces: { mcp: { tools: string[] } } };
  const operations = Object.values(contract.paths).flatMap((path) => Object.values(path));
  return [
    ...operations.map(({ operationId }) => `openapi:${operationId}`),
    ...card.interfaces.mcp.tools.map((name) => `mcp:${name}`),
  ];
}

/** Runs an executable suite (api.qa/vitest@1) against `origin`, and holds its coverage map to what is declared. */
export async function runExecutable(suite: ExecutableSuite, origin: string): Promise<Line[]> {
  const restore = resolveImports(origin);
  await import(toModule(suite.tests));
  restore();
  const lines: Line[] = [];
  for (const test of tests) lines.push(await runTest(test));
  const passed = new Set(lines.filter(({ problem }) => problem === undefined).map(({ name }) => name));
  const domain = await toDomain(origin);
  for (const identifier of new Set([...domain, ...Object.keys(suite.coverage)])) {
    const isCovered = suite.coverage[identifier]?.some((name) => passed.has(name)) ?? false;
    const problem = !domain.includes(identifier)
      ? 'is not declared'
      : isCovered
        ? undefined
        : 'no passing test covers it';
    lines.push({ name: `coverage of ${identifier}`, problem });
  }
  return lines;
}
