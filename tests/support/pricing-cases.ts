import type { Test } from 'uvu';
import * as assert from 'uvu/assert';
import { checkPricing } from '../../src/pricing/document.ts';

/** A rule of the vocabulary: what keeps it, what breaks it, where that is told and with which words. */
export interface Case {
  rule: string;
  keeps: unknown[];
  breaks: unknown[];
  at: string;
  says: RegExp;
}

/** A case of the first row of a card; `at` is below the row. */
export function toRowCase(rule: string, keeps: unknown[], breaks: unknown[], at: string, says: RegExp): Case {
  return { rule, keeps, breaks, at: `rates.0.${at}`, says };
}

/** Adds one test a case; `toDocument` puts the value under test in an otherwise blameless document. */
export function addCases(suite: Test, cases: readonly Case[], toDocument: (value: unknown) => unknown) {
  for (const { rule, keeps, breaks, at, says } of cases) {
    suite(rule, () => {
      for (const value of keeps) {
        const check = checkPricing(toDocument(value));
        assert.ok(check.ok, `${JSON.stringify(value)} must pass: ${JSON.stringify(check)}`);
      }
      for (const value of breaks) assertProblem(toDocument(value), at, says);
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
