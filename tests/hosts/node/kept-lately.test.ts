import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createAnswerCache } from '../../../src/hosts/node/reply-cache.ts';

const kept = suite('answers that are kept once they are asked for again');

/** Asks for a key, and tells whether the answer was kept before. */
function createAsk() {
  const answers = createAnswerCache();
  return (key: string, status = 200): boolean => {
    let isMade = false;
    const make = () => {
      isMade = true;
      return { status, body: 'x'.repeat(300), isKept: false };
    };
    answers.keep(key, make, ({ body }) => body.length);
    return !isMade;
  };
}

kept('all that is asked for again is kept; what nobody asks for again pushes nothing out', () => {
  const ask = createAsk();
  const often = Array.from({ length: 1000 }, (_, count) => `/candidates?limit=1&often=${Math.sin(count)}`);
  for (const key of [...often, ...often]) ask(key);
  for (let count = 0; count < 10_000; count += 1) ask(`/candidates?limit=1&once=${count}`);
  for (const key of often) assert.ok(ask(key), key);
});

kept('what is no 200 is not, nor what is asked for in more characters than are looked up', () => {
  const ask = createAsk();
  const asked = (key: string, status?: number) => [1, 2, 3].map(() => ask(key, status));
  assert.equal(asked('/a'), [false, false, true]);
  assert.equal(asked('/b', 400), [false, false, false]);
  assert.equal(asked('x'.repeat(4096)), [false, false, true]);
  assert.equal(asked('x'.repeat(4097)), [false, false, false]);
});

kept.run();
