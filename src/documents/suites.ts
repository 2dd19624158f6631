import * as v from 'valibot';
import { fill } from '../kernel/document.ts';
import type { Operation } from '../kernel/operation.ts';
import { may, say } from '../kernel/text.ts';
import type { DocumentService } from './service.ts';
import { describeExpectation, type SuiteRow } from './suite-runner.ts';

/** Addresses whose reply does not depend on any records, by the type of the reply. */
export const knownPaths = {
  empty: ['/placements?status=no-such-status', '/candidates?occupation=00-0000.00'],
  forbidden: ['/placements?scope=admin', '/placements?scope=internal'],
} as const;

const createSuiteRow = (id: string, path: string, expect: SuiteRow['expect']) =>
  ({ id, kind: 'endpoint', method: 'GET', path, expect }) as const;

const hasType = (equals: string) => ({ paths: [{ path: 'type', equals }] });

/** Creates a row for a GET of the contract. It must reply 200, or 402 if it has no 200, with its type of body. */
function createOperationRow({ operationId, path, contract }: Operation): SuiteRow {
  const { sample, replies, enveloped } = contract;
  const status = replies[200] ? 200 : 402;
  return createSuiteRow(operationId, path.replace('{id}', String(sample?.id)), {
    status,
    contentTypeIncludes: replies[status]!.type ?? 'application/json',
    ...(enveloped !== false && hasType(status === 402 ? 'OFFER' : 'OK')),
  });
}

/** Lists a row for each boundary that a GET can reach. */
function listBoundaryRows(ceiling: number): SuiteRow[] {
  return [
    createSuiteRow('empty-status', knownPaths.empty[0], { status: 200, ...hasType('EMPTY') }),
    createSuiteRow('unknown-record', '/candidates/cand_none', { status: 404, ...hasType('EMPTY') }),
    createSuiteRow('forbidden-scope', knownPaths.forbidden[0], { status: 403, ...hasType('BLOCKED') }),
    createSuiteRow('over-ceiling', `/placements?spend=${ceiling + 0.5}`, {
      status: 402,
      ...hasType('OFFER'),
    }),
    createSuiteRow('below-ceiling', `/placements?spend=${ceiling / 2}`, { status: 200, ...hasType('OK') }),
    createSuiteRow('malformed-limit', '/placements?limit=0', { status: 400, ...hasType('BLOCKED') }),
  ];
}

function formatSuite(
  { service: { title, version } }: DocumentService['catalogue'],
  kind: string,
  rest: object,
) {
  const suite = { $type: 'Suite', name: `${title}, ${kind}`, version, ...rest };
  return `${JSON.stringify(suite, null, 1)}\n`;
}

/**
 * The reads in the declarative suite: one list and one record of the vocabulary and of a kind, and what it costs. Its
 * runner has 64 requests for a service and reads the documents itself, so only a few rows fit. The executable suite
 * covers every operation.
 */
const suiteReads = [
  'listOccupations',
  'getOccupation',
  'listCandidates',
  'getCandidate',
  'getPricing',
  'getOffer',
] as const;

/** Writes the declarative suite (api.qa/suite@1). The bytes are served and hashed as they are. */
export function writeDeclarativeSuite({ operations, catalogue }: DocumentService): string {
  const reads = suiteReads.map((name) => operations.find(({ operationId }) => operationId === name)!);
  return formatSuite(catalogue, 'declarative', {
    environments: { public: { vars: {} } },
    requirements: [...reads.map(createOperationRow), ...listBoundaryRows(catalogue.pricing.hardCeiling)],
  });
}

/** Returns the names of the tests that cover each identifier, from the [identifier] tags in the names. */
function readCoverage(source: string): Record<string, string[]> {
  const coverage: Record<string, string[]> = {};
  for (const [, name = ''] of source.matchAll(/^it\('([^']+)'/gm)) {
    for (const [, identifier = ''] of name.matchAll(/\[([^[\]]+)\]/g)) {
      coverage[identifier] = [...(coverage[identifier] ?? []), name];
    }
  }
  return coverage;
}

/** Writes the executable suite (api.qa/vitest@1): the tests, and what each covers. The bytes are served and hashed. */
export function writeExecutableSuite({ catalogue }: DocumentService): string {
  const { executableTests: tests } = catalogue;
  return formatSuite(catalogue, 'executable', {
    environments: { public: { vars: {}, sandbox: true } },
    coverage: readCoverage(tests),
    tests,
  });
}

export const Suite = v.object({
  name: say(v.string(), 'What it is called.'),
  runner: say(v.string(), 'What runs it.'),
  digest: say(
    v.pipe(v.string(), v.regex(/^sha256:[0-9a-f]{64}$/)),
    '`sha256:` and the hex of the served bytes.',
  ),
  url: may(v.string(), 'Absent where the suite is not ours to serve.'),
  statement: say(v.string(), 'In words.'),
});
export type Suite = v.InferOutput<typeof Suite>;

/** Addresses of our own suites. */
export const suitePaths = { declarative: '/verify/suite.json', executable: '/verify/executable.json' };

/** Lists every suite that judges this service: the pinned suite of its standard, and our own two. */
export async function listSuites(service: DocumentService): Promise<Suite[]> {
  const { standard, title } = service.catalogue.service;
  const digestOf = async (text: string) => `sha256:${await service.platform.sha256(text)}`;
  return [
    {
      name: standard.suite,
      runner: standard.judge,
      digest: standard.digest,
      statement:
        'The conformance suite of the standard that this service is built against, pinned by its digest.',
    },
    {
      name: `${title}, declarative`,
      runner: 'api.qa/suite@1',
      digest: await digestOf(writeDeclarativeSuite(service)),
      url: suitePaths.declarative,
      statement:
        'Reads only: the main reads and each boundary, in few requests, runnable against any address.',
    },
    {
      name: `${title}, executable`,
      runner: 'api.qa/vitest@1',
      digest: await digestOf(writeExecutableSuite(service)),
      url: suitePaths.executable,
      statement: 'Every operation and every MCP tool, creates included, in sandbox workspaces of its own.',
    },
  ];
}

export async function writeVerifyMarkdown(service: DocumentService): Promise<string> {
  const rows = (await listSuites(service)).map(
    ({ name, runner, digest, url, statement }) =>
      `## ${name}\n\n${statement}\n\n- runner: ${runner}\n- digest: \`${digest}\`${url ? `\n- document: [${url}](${url})` : ''}`,
  );
  const { requirements }: { requirements: SuiteRow[] } = JSON.parse(writeDeclarativeSuite(service));
  const checks = requirements.map((row) => `- ${row.method} ${row.path}: ${describeExpectation(row)}`);
  const { standard, attestation } = service.catalogue.service;
  const attested = attestation.map(({ rung, live, statement, evidence }) => {
    const link = evidence?.endsWith('.json') ? ` [${evidence}](${evidence})` : '';
    return `- ${rung} (${live ? 'in force' : 'not yet'}): ${statement}${link}`;
  });
  return fill(service, 'verify', {
    standard: `${standard.name} ${standard.version}`,
    suites: rows.join('\n\n'),
    checks: checks.join('\n'),
    attested: attested.join('\n'),
  });
}
