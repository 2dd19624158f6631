import type { Test } from 'uvu';
import * as assert from 'uvu/assert';
import { checkPricing } from '../../src/pricing/document.ts';

/** A rule of the vocabulary: where a break of it is named, with which words, what breaks it and what keeps it. */
export type Case = [at: string, says: RegExp, breaks: unknown[], keeps?: unknown[]];

/** Makes a value of each of these, as the one member that it has more. */
export const vary =
  (make: (more: object) => unknown) =>
  (member: string, ...values: unknown[]) =>
    values.map((value) => make({ [member]: value }));

/**
 * Adds one test a case. `toDocument` puts the value under test in an otherwise blameless document, `below` is its
 * path there.
 */
export function addCases(
  suite: Test,
  cases: readonly Case[],
  toDocument = (value: unknown): unknown => value,
  below = '',
) {
  for (const [at, says, breaks, keeps = []] of cases) {
    const path = [below, at].filter((part) => part !== '').join('.');
    suite(`${path}: ${says.source}`, () => {
      for (const value of keeps) {
        const check = checkPricing(toDocument(value));
        assert.ok(check.ok, `${JSON.stringify(value)} must pass: ${JSON.stringify(check)}`);
      }
      for (const value of breaks) assertProblem(toDocument(value), path, says);
    });
  }
}

/** Asserts that the problems name the path, in a sentence that matches. */
export function assertProblem(document: unknown, at: string, says: RegExp, legal?: readonly string[]) {
  const check = checkPricing(document, legal);
  if (check.ok) throw new Error(`must be refused: ${JSON.stringify(document)}`);
  const problem = check.problems.find(({ path }) => path === at);
  assert.ok(problem, `no problem at ${at}: ${JSON.stringify(check.problems)}`);
  assert.match(problem.message, says);
  for (const { message } of check.problems) assert.match(message, /^[A-Z].{10,}\.$/, 'must be a sentence');
}
