import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { server } from '../../../support/front.ts';

const size = suite('the size of a file to import');

const mebibyte = 1_048_576;

const send = (body: string) =>
  fetch(`${server.origin}/imports?kind=candidates`, {
    method: 'POST',
    headers: { 'Content-Type': 'text/csv; charset=utf-8' },
    body,
  });

/** Returns a CSV file of this many bytes, with candidates whose notes are too long, and blank lines at its end. */
function makeFile(bytes: number): string {
  const rows = `Ann Sample,Registered Nurse,${'x'.repeat(9000)}\n`.repeat(110);
  return `Name,Job Title,Notes\n${rows}`.padEnd(bytes, '\n');
}

size('reads a file of 1 MiB', async () => {
  const body = await (await send(makeFile(mebibyte))).json();
  assert.is(body.problems[0].member, 'Notes');
});

size('refuses a file of 1 MiB and one byte', async () => {
  const answer = await send(makeFile(mebibyte + 1));
  assert.is(answer.status, 413);
  assert.is((await answer.json()).code, 'body_too_large');
});

size.run();
