import { createHash } from 'node:crypto';
import type { Body } from '../http.ts';
import { isOk, type Row, tell, toEndpoints, type Verdict, type Visit } from './visit.ts';
import type { Seen } from './wire.ts';

const runners = ['api.qa/suite@1', 'api.qa/vitest@1'];
const exempt = ['/.well-known/agents.json', '/openapi.json', '/llms.txt'];

/** Runs `judge` where the card declares a suite. An unreadable card counts as one that does. */
const whereDeclared =
  (judge: (declared: Body, visit: Visit) => Promise<Verdict>) =>
  async (visit: Visit): Promise<Verdict> => {
    const { interfaces } = visit.card.body ?? {};
    if (!isOk(visit.card) || typeof interfaces !== 'object' || interfaces === null) return tell(visit.card);
    return 'testSuite' in interfaces ? judge(interfaces.testSuite, visit) : undefined;
  };

const digestOf = ({ text }: Seen) => `sha256:${createHash('sha256').update(text).digest('hex')}`;

async function judgeDeclaration(declared: Body, { wire }: Visit): Promise<Verdict> {
  const { url, digest, environment = 'public', runner = runners[0] } = declared ?? {};
  if (!runners.includes(runner)) return `no such runner: ${runner}`;
  const seen = await wire.get(url);
  if (!isOk(seen)) return tell(seen);
  if (digestOf(seen) !== digest) return `the digest is ${digest}, the bytes are ${digestOf(seen)}`;
  const { environments, tests, requirements = [] } = seen.body ?? {};
  if (typeof environments?.[environment]?.vars !== 'object') return `no environment ${environment}`;
  if (runner === runners[1]) return tests ? undefined : 'no tests';
  return requirements.length >= 1 && requirements.length <= 25 ? undefined : `${requirements.length} rows`;
}

/** What a suite has to cover: every operation, tool and further interface. */
export function toDomain({ openapi, card }: Visit): string[] {
  const operations = Object.entries((openapi.body?.paths ?? {}) as Record<string, Body>).flatMap(
    ([path, item]) =>
      Object.entries(item as Record<string, Body>).map(
        ([method, { operationId }]) => `openapi:${operationId ?? `${method.toUpperCase()} ${path}`}`,
      ),
  );
  const { http: _, mcp, testSuite: __, ...others } = card.body?.interfaces ?? {};
  const tools = (mcp?.tools ?? []).map((name: string) => `mcp:${name}`);
  return [...operations, ...tools, ...Object.keys(others).map((name) => `interfaces.${name}`)];
}

/** Entries of the card that no operation of the contract stands behind. */
function toUndocumented({ openapi, card }: Visit): string[] {
  return toEndpoints(card.body).flatMap(({ url, method = 'GET' }) => {
    const isKnown = openapi.body?.paths?.[String(url)]?.[method.toLowerCase()];
    return isKnown || exempt.includes(String(url)) ? [] : [`${method} ${url}`];
  });
}

async function judgeCoverage(declared: Body, visit: Visit): Promise<Verdict> {
  const { coverage = {} } = (await visit.wire.get(declared.url)).body ?? {};
  const domain = toDomain(visit);
  const uncovered = domain.filter((identifier) => !(coverage[identifier]?.length > 0));
  if (uncovered.length > 0) return `not covered: ${uncovered}`;
  const outside = Object.keys(coverage).filter((identifier) => !domain.includes(identifier));
  if (outside.length > 0) return `covers what is not there: ${outside}`;
  const undocumented = toUndocumented(visit);
  return undocumented.length > 0 ? `not in the contract: ${undocumented}` : undefined;
}

/** The published suite, where it is declared: its bytes and what it covers. It is not run here. */
export const suiteRows: readonly Row[] = [
  { id: 'check-published-test-suite', check: whereDeclared(judgeDeclaration) },
  { id: 'check-capability-coverage', check: whereDeclared(judgeCoverage) },
];
