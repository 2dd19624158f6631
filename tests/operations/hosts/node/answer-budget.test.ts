import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { AnswerBounds, AnswerBudget } from '../../../../src/hosts/node/answer-budget.ts';
import { Refusal } from '../../../../src/kernel/refusal.ts';

const budgets = suite('the budget of answers');
const mb = 1_048_576;

/** A response that leaves when the test says so. A real one would go to the system at once. */
class Answer extends EventEmitter {
  writableFinished = false;
  destroyed = false;
}
const asResponse = (answer: Answer) => answer as unknown as ServerResponse;

const isBusy = (error: unknown) =>
  error instanceof Refusal && error.status === 503 && error.headers['Retry-After'] !== undefined;

/** Leaves an answer of a client unread. Returns it. */
function leaveUnread(budget: AnswerBudget, client: string, bytes: number): Answer {
  const answer = new Answer();
  budget.hold(client).countUntilSent(bytes, asResponse(answer));
  return answer;
}

for (const [what, bytes] of [
  ['large', mb],
  ['small', 4096],
] as const) {
  budgets(`refuses a client with 32 MiB of ${what} answers unread, until it reads one`, () => {
    const budget = new AnswerBudget(new AnswerBounds(640 * mb));
    const answers = Array.from({ length: (32 * mb) / bytes }, () => leaveUnread(budget, 'a', bytes));
    assert.throws(() => budget.check('a'), isBusy);
    answers[0]!.emit('close');
    budget.check('a');
  });
}

budgets('has a fifth of a small heap, and never more than 256 MiB', () => {
  assert.is(new AnswerBounds(320 * mb).all, 64 * mb);
  assert.is(new AnswerBounds(16_000 * mb).all, 256 * mb);
});

budgets('serves a client while another has used up its share', () => {
  const budget = new AnswerBudget(new AnswerBounds(640 * mb));
  leaveUnread(budget, 'a', 40 * mb);
  budget.check('b');
  budget.hold('b').reserve(mb);
});

budgets(
  'refuses large answers above 128 MiB in all, and still serves small ones to a client without any',
  () => {
    const budget = new AnswerBudget(new AnswerBounds(640 * mb));
    for (let client = 0; client < 4; client += 1) leaveUnread(budget, `${client}`, 32 * mb);
    assert.throws(() => budget.hold('other').reserve(mb), isBusy);
    assert.throws(() => budget.hold('other').count(mb), isBusy);
    assert.throws(() => budget.check('3'), isBusy);
    budget.check('other');
    budget.hold('other').count(60_000);
  },
);

budgets('refuses every answer above 192 MiB in all', () => {
  const budget = new AnswerBudget(new AnswerBounds(640 * mb));
  for (let client = 0; client < 6; client += 1) leaveUnread(budget, `${client}`, 32 * mb);
  assert.throws(() => budget.check('other'), isBusy);
});

budgets('lets one answer be larger than all shares if nothing else is held', () => {
  const budget = new AnswerBudget(new AnswerBounds(640 * mb));
  const large = budget.hold('a');
  large.reserve(500 * mb);
  large.count(400 * mb);
  assert.is(budget.bytes, 400 * mb);
  assert.throws(() => budget.hold('b').reserve(mb), isBusy);
});

budgets('replaces what was reserved by what the body has', () => {
  const budget = new AnswerBudget(new AnswerBounds(640 * mb));
  const held = budget.hold('a');
  held.reserve(20 * mb);
  held.count(3 * mb);
  assert.is(budget.bytes, 3 * mb);
  held.resize(mb);
  assert.is(budget.bytes, mb);
});

budgets('counts nothing of what was sent at once or is closed', () => {
  const budget = new AnswerBudget(new AnswerBounds(640 * mb));
  for (const state of ['writableFinished', 'destroyed'] as const) {
    const answer = new Answer();
    answer[state] = true;
    const held = budget.hold('a');
    held.reserve(mb);
    held.countUntilSent(mb, asResponse(answer));
    assert.is(answer.listenerCount('close'), 0);
  }
  assert.is(budget.bytes, 0);
});

budgets.run();
