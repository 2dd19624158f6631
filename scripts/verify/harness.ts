import { inspect, isDeepStrictEqual } from 'node:util';

/** The tests that the suite registered. */
export const tests: { name: string; run(): unknown }[] = [];

/** Registers a test (the `it` of api.qa/vitest@1). */
export function it(name: string, run: () => unknown): void {
  tests.push({ name, run });
}

const isIn = (text: unknown, part: unknown) =>
  typeof text === 'string' ? text.includes(String(part)) : (text as unknown[]).some((item) => item === part);

const matchers: Record<string, (actual: unknown, wanted: unknown) => boolean> = {
  toBe: Object.is,
  toEqual: isDeepStrictEqual,
  toBeGreaterThan: (actual, wanted) => (actual as number) > (wanted as number),
  toContain: isIn,
  toMatch: (actual, wanted) => (wanted as RegExp).test(String(actual)),
};

type Expectation = Record<string, (wanted: unknown) => void>;

/** Returns the matchers that our suite uses. A matcher that fails throws an error with both values. */
export function expect(actual: unknown): Expectation {
  const entries = Object.entries(matchers).map(([name, matches]) => [
    name,
    (wanted: unknown) => {
      if (!matches(actual, wanted)) throw new Error(`expected ${inspect(actual)} ${name} ${inspect(wanted)}`);
    },
  ]);
  return Object.fromEntries(entries);
}
