import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  cutExcerpt,
  explainIssues,
  type Finding,
  type Issue,
  limitIssues,
  pickRefusable,
  pickWarnings,
} from '../../../src/kernel/envelope.ts';
import { createBlocked, Refusal, toRefusal } from '../../../src/kernel/refusal.ts';
import { warnOrRefuse, withWarnings } from '../../../src/kernel/warnings.ts';
import { compose, formatWording, strictPart } from '../../../src/kernel/wording.ts';
import { toChance } from '../../support/people.ts';

const envelopes = suite('refusals and warnings');

const makeIssues = (count: number, message = 'must be a number'): Issue[] =>
  Array.from({ length: count }, (_, at) => ({ path: `items[${at}]`, message }));
const countBytes = (value: object) => Buffer.byteLength(JSON.stringify(value));

envelopes('names the first issues, at most 20 and 3,000 bytes, and counts all others', () => {
  const chance = toChance(131);
  for (let round = 0; round < 300; round += 1) {
    const issues = makeIssues(1 + chance(40), 'é'.repeat(1 + chance(200)));
    const limited = limitIssues(issues);
    const last = limited.at(-1)!;
    const isCounted = last.path === '';
    const shown = isCounted ? limited.slice(0, -1) : limited;
    assert.equal(shown, issues.slice(0, shown.length));
    assert.ok(shown.length <= 20);
    assert.ok(shown.reduce((sum, one) => sum + countBytes(one), 0) <= 3000);
    const left = issues.length - shown.length;
    if (left === 0) continue;
    assert.is(last.message, `and at least ${left} more`);
    const next = issues[shown.length]!;
    const wouldFit = countBytes([...shown, next]) - shown.length - 2 <= 3000;
    assert.ok(shown.length === 20 || !wouldFit, `${shown.length} of ${issues.length}`);
  }
});

envelopes('an issue behind one that is too large is counted, even if it is small', () => {
  const issues = [...makeIssues(1, 'a'.repeat(4000)), ...makeIssues(2)];
  assert.equal(limitIssues(issues), [{ path: '', message: 'and at least 3 more' }]);
});

envelopes('one issue is explained by its message, as a sentence', () => {
  const explain = (message: string, path = 'name') => explainIssues([{ path, message }]);
  assert.is(explain('is missing; send it'), 'name is missing; send it.');
  for (const end of ['"a"', "'a'", '(a)', 'a1']) assert.is(explain(`is ${end}`), `name is ${end}.`);
  for (const end of ['.', '?', '…']) assert.is(explain(`is a${end}`), `name is a${end}`);
  assert.is(explain('is missing', ''), 'the whole is missing.');
});

envelopes('several issues are counted, and the first five places are named', () => {
  const explain = (count: number) => explainIssues(makeIssues(count));
  assert.is(explain(2), '2 members are not valid: items[0], items[1]; issues names each place.');
  assert.match(
    explain(5),
    '5 members are not valid: items[0], items[1], items[2], items[3], items[4]; issues',
  );
  assert.match(
    explain(6),
    '6 members are not valid: items[0], items[1], items[2], items[3], items[4], …; issues',
  );
  assert.match(explain(20), /^20 members/);
  assert.match(explain(21), /^At least 21 members/);
  assert.match(explain(1234), /^At least 1,234 members/);
});

envelopes('a place is named once', () => {
  const issue = { path: 'name', message: 'is wrong' };
  assert.match(explainIssues([issue, issue]), '2 members are not valid: name; issues');
});

envelopes('an excerpt is the beginning of a text, without half of a character', () => {
  assert.is(cutExcerpt('a'.repeat(200)), 'a'.repeat(100));
  assert.is(cutExcerpt('abcdef', 3), 'abc');
  assert.is(cutExcerpt('ab😀', 3), 'ab\ufffd');
  assert.is(cutExcerpt('a\u202eb\u0007c'), 'a\ufffdb\ufffdc');
});

const finding: Finding = { code: 'unknown_name', path: 'a', message: 'was ignored' };

envelopes('strict handling refuses each finding that is no advice, in the words of a refusal', () => {
  const findings: Finding[] = [
    finding,
    { ...finding, path: 'b', refusal: 'leave it out' },
    { ...finding, path: 'c', advice: true },
  ];
  assert.equal(pickRefusable(findings), [
    { code: 'unknown_name', path: 'a', message: 'was ignored' },
    { code: 'unknown_name', path: 'b', message: 'leave it out' },
  ]);
});

envelopes('a warning has the words of HTTP, and not those of a refusal', () => {
  const message = compose`send ${strictPart} to see it`;
  assert.equal(pickWarnings([{ ...finding, message, refusal: 'leave it out' }]), [
    { code: 'unknown_name', path: 'a', message: 'send handling=strict to see it' },
  ]);
});

/** Adds findings to a call. Returns the warnings of the call, or the issues of the refusal. */
function decide(isStrict: boolean, findings: readonly Finding[]) {
  const warnings: unknown[] = [];
  try {
    warnOrRefuse({ options: { isStrict }, warnings } as never, findings);
  } catch (error) {
    return { issues: (error as Refusal).envelope.issues };
  }
  return { warnings };
}

envelopes('a finding warns, or refuses the call under strict handling', () => {
  assert.equal(decide(false, [finding]), { warnings: [finding] });
  assert.equal(decide(true, [finding]), { issues: [finding] });
  assert.equal(decide(true, [{ ...finding, advice: true }]), { warnings: [{ ...finding, advice: true }] });
  assert.equal(decide(true, []), { warnings: [] });
});

envelopes('warnings are added behind the type, after those that are there', () => {
  const body = { type: 'OK', warnings: [finding], total: 1 };
  const { body: warned } = withWarnings({ status: 200, body }, [{ ...finding, path: 'b' }]);
  assert.is(
    JSON.stringify(warned),
    JSON.stringify({ type: 'OK', warnings: [finding, { ...finding, path: 'b' }], total: 1 }),
  );
});

envelopes('an answer that is no envelope has no warnings', () => {
  for (const body of ['a text', { openapi: '3.1.0' }]) {
    const outcome = { status: 200, body };
    assert.is(withWarnings(outcome, [finding]), outcome);
  }
  const outcome = { status: 200, body: { type: 'OK' } };
  assert.is(withWarnings(outcome, []), outcome);
});

envelopes('a text without parts stays one string, and one with parts is worded by its protocol', () => {
  assert.is(compose`a ${'b'} c`, 'a b c');
  const composed = compose`use ${strictPart}, ${compose`not ${strictPart}`}.`;
  assert.is(formatWording(composed), 'use handling=strict, not handling=strict.');
  assert.is(
    formatWording(composed, (part) => ('argument' in part ? part.argument! : '')),
    'use strict, not strict.',
  );
});

envelopes('the reason of a refusal names the places where arguments are wrong', () => {
  const issues = makeIssues(1);
  const explained = 'items[0] must be a number.';
  assert.is(createBlocked('invalid_request', { issues }).reason, explained);
  assert.ok(createBlocked('conflict', { issues }).reason.startsWith(`${explained} This conflicts`));
  assert.match(createBlocked('changed', { issues }).reason, /^The record has changed/);
  assert.is(createBlocked('changed', { reason: 'Read it again.' }).reason, 'Read it again.');
});

envelopes('any error becomes a refusal, and a fault behind it is reported', () => {
  const reported: unknown[] = [];
  const report = (fault: unknown) => reported.push(fault);
  const fault = new Error('broken');
  assert.is(toRefusal(fault, report).envelope.code, 'internal');
  assert.equal(reported, [fault]);
  const refusal = new Refusal('changed');
  assert.is(toRefusal(refusal, report), refusal);
  assert.is(reported.length, 1);
  assert.is(toRefusal(new Refusal('store_unavailable', { cause: fault }), report).status, 503);
  assert.is(reported.length, 2);
});

envelopes('a refusal leaves the stack of other errors as it is', () => {
  const before = Error.stackTraceLimit;
  new Refusal('changed');
  assert.is(Error.stackTraceLimit, before);
});

envelopes('a refusal has the headers of its kind and its own', () => {
  const { headers } = new Refusal('too_busy', { headers: { Allow: 'GET' } });
  assert.equal(headers, { 'Retry-After': '2', Allow: 'GET' });
  assert.equal(new Refusal('changed').headers, {});
});

envelopes.run();
