import type { Service } from '../core/service.ts';

/** `{identifier: names of the tests that cover it}`, from the [identifier] tags in the names. */
function toCoverage(source: string): Record<string, string[]> {
  const coverage: Record<string, string[]> = {};
  for (const [, name = ''] of source.matchAll(/^it\('([^']+)'/gm)) {
    for (const [, identifier = ''] of name.matchAll(/\[([^[\]]+)\]/g)) {
      coverage[identifier] = [...(coverage[identifier] ?? []), name];
    }
  }
  return coverage;
}

/**
 * The executable suite (api.qa/vitest@1), as the text that is served and hashed: the tests of
 * content/suites/executable.mjs and a map of what each covers. It creates, in workspaces of its own.
 */
export function toExecutableSuite({ catalogue: { service, executableTests } }: Service): string {
  const suite = {
    $type: 'Suite',
    name: `${service.title}, executable`,
    version: service.version,
    environments: { public: { vars: {}, sandbox: true } },
    coverage: toCoverage(executableTests),
    tests: executableTests,
  };
  return `${JSON.stringify(suite, null, 1)}\n`;
}
