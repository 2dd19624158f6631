import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createUntaken } from '../../../src/hosts/node/untaken.ts';
import { Refusal } from '../../../src/kernel/refusal.ts';

const test = suite('answers that are not read');
const mb = 1_048_576;

/** An answer that leaves when it is told to: the system of this machine takes a whole one at once. */
class Answer extends EventEmitter {
  writableFinished = false;
}
const asResponse = (answer: Answer) => answer as unknown as ServerResponse;
const isRefused = (error: unknown) => error instanceof Refusal && error.envelope.code === 'too_busy';

test('who left 32 MiB unread is refused until some of it is read; others are not', () => {
  const untaken = createUntaken();
  const answers = Array.from({ length: 32 }, () => new Answer());
  for (const answer of answers) {
    untaken.check('a');
    untaken.hold('a', asResponse(answer), mb);
  }
  assert.throws(() => untaken.check('a'), isRefused);
  untaken.check('b');
  answers[0]!.emit('close');
  untaken.check('a');
});

test('where all together left 256 MiB unread, who left none of it is still answered', () => {
  const untaken = createUntaken();
  for (let client = 0; client < 16; client += 1)
    for (let one = 0; one < 16; one += 1) untaken.hold(String(client), asResponse(new Answer()), mb);
  assert.throws(() => untaken.check('3'), isRefused);
  untaken.check('other');
});

test('small answers, and those that left at once, are not counted', () => {
  const untaken = createUntaken();
  const left = new Answer();
  left.writableFinished = true;
  untaken.hold('a', asResponse(left), 1000 * mb);
  untaken.hold('a', asResponse(new Answer()), 65_535);
  untaken.check('a');
  assert.is(left.listenerCount('close'), 0);
});

test.run();
