import { execFileSync } from 'node:child_process';
import { closeSync, constants, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createLog } from '../../../src/hosts/node/log.ts';
import { makeFolder } from '../../support/server.ts';

const slow = suite('a log whose reader is slow');
const entry = { method: 'GET', status: 200, ms: 1, bytes: 1, client: '127.0.0.1' };

/** All that a pipe holds now. */
function readAll(fd: number): string {
  const bytes = Buffer.alloc(1_048_576);
  try {
    return bytes.toString('latin1', 0, readSync(fd, bytes));
  } catch {
    return '';
  }
}

slow('what is left of a line goes before the next, also where the process ends', async () => {
  const path = join(makeFolder(), 'pipe');
  execFileSync('mkfifo', [path]);
  const fd = openSync(path, constants.O_RDWR | constants.O_NONBLOCK);
  const log = createLog(fd);
  const count = 2000;
  const tell = (from: number) => {
    for (let id = from; id < from + count; id += 1) log.request({ ...entry, id: `r${id}`, path: '/a' });
  };
  tell(0);
  for (let turns = 0; turns < 20; turns += 1) await new Promise((resolve) => setTimeout(resolve, 20));
  tell(count);
  const told: string[] = [readAll(fd)];
  for (let read = 0; read < 50 && told.at(-1) !== ''; read += 1) {
    log.flush();
    told.push(readAll(fd));
  }
  const ids = told
    .join('')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line).id);
  assert.equal(
    ids,
    Array.from({ length: 2 * count }, (_, id) => `r${id}`),
  );
  await log.close();
  closeSync(fd);
});

slow.run();
