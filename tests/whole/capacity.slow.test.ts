import { execFile } from 'node:child_process';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { skipsRedis } from '../support/redis.ts';
import { makeFolder } from '../support/server.ts';

const root = join(import.meta.dirname, '..', '..');
const capacity = suite('the soak of capacity');

/** Runs it with few visits. Its exit code says how near the model is, which a busy machine changes. */
const measure = (env: NodeJS.ProcessEnv, ...more: string[]): Promise<{ code: unknown; stdout: string }> =>
  new Promise((resolve) => {
    const args = ['scripts/soak.ts', 'capacity', '--agents', '10', '--rounds', '1', ...more];
    execFile(process.execPath, args, { cwd: root, env }, (error, stdout, stderr) =>
      resolve({ code: error?.code, stdout: stdout + stderr }),
    );
  });

if (!skipsRedis())
  capacity('measures both stores, checks the model and plans each size', async () => {
    const { stdout } = await measure(process.env, '--sizes', '5000,7000000');
    for (const part of [
      /^\| batches of ten \| +1 \|( +[\d,.]+ \|){5}$/m,
      /kB on disk in SQLite, .* of memory in Redis/,
      /^ {2}instances: predicted .* measured .* than predicted$/m,
      /^ {2}masters: predicted .* measured .* than predicted$/m,
      /^5,000 agents a day: .*\n.*CDN: .*\n.*one instance on SQLite: .*Breaks first/m,
      /^7,000,000 agents a day: [\s\S]*one master of Redis: NOT enough[\s\S]*masters: \d+ with/m,
    ])
      assert.match(stdout, part);
  });

capacity('measures SQLite alone if neither Redis nor nginx is there, and says so', async () => {
  const folder = makeFolder();
  for (const tool of ['ps', 'getconf']) symlinkSync(join('/usr/bin', tool), join(folder, tool));
  const { code, stdout } = await measure({ PATH: folder }, '--sizes', '5000');
  assert.match(stdout, 'There is no redis-server on this machine');
  assert.match(stdout, 'There is no nginx on this machine');
  assert.match(stdout, /^5,000 agents a day: /m);
  assert.not.match(stdout, 'with Redis:');
  assert.is(code, undefined);
});

capacity.run();
