import * as v from 'valibot';
import type { Service } from '../core/service.ts';
import { toDeclarativeSuite } from './declarative-suite.ts';
import { toExecutableSuite } from './executable-suite.ts';

/** A suite as /verify lists it. */
export const Suite = v.object({
  name: v.string(),
  runner: v.string(),
  digest: v.pipe(v.string(), v.description('`sha256:` and the hex of the served bytes.')),
  url: v.optional(v.pipe(v.string(), v.description('Absent where the suite is not ours to serve.'))),
  statement: v.string(),
});
export type Suite = v.InferOutput<typeof Suite>;

/** Where our own suites are served, as the very text that their digests are of. */
export const suitePaths = { declarative: '/verify/suite.json', executable: '/verify/executable.json' };

/** Every suite that judges this service: the pinned gate of its standard, and our own two. */
export async function toSuites(service: Service): Promise<Suite[]> {
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
      digest: await digestOf(toDeclarativeSuite(service)),
      url: suitePaths.declarative,
      statement: 'Reads only: every GET of the contract and each boundary, runnable against any address.',
    },
    {
      name: `${title}, executable`,
      runner: 'api.qa/vitest@1',
      digest: await digestOf(toExecutableSuite(service)),
      url: suitePaths.executable,
      statement: 'Every operation and every MCP tool, creates included, in sandbox workspaces of its own.',
    },
  ];
}
