import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Front, fillIn, hasNginx, startNginxWith } from '../../../support/balancers.ts';
import { startFor } from '../../../support/server.ts';
import { deployFolder } from '../../../support/tools.ts';
import { send } from '../../../support/wire.ts';

if (!hasNginx) {
  console.log('skipped: no nginx on this machine');
  process.exit(process.env.CI === 'true' ? 1 : 0);
}

const one = suite('nginx in front of one instance on its machine');
const live = 4;
const host = await startFor(one, { TRUST_PROXY: '1', RATE_LIMIT_LIVE: String(live) });
const { port } = new URL(host.origin);

/** Sends reads, and returns their statuses. */
async function readOften({ origin }: Front, count: number): Promise<number[]> {
  const statuses: number[] = [];
  for (let n = 0; n < count; n += 1) statuses.push((await send(origin, '/candidates?limit=1')).status);
  return statuses;
}

one('logs nothing with the shipped configuration', async () => {
  let log = '';
  const front = await startNginxWith((own, folder) => {
    log = join(folder, 'errors');
    const example = readFileSync(join(deployFolder, 'nginx.conf'), 'utf8');
    const filled = fillIn(example, [
      ['listen 8080;', `listen 127.0.0.1:${own};`],
      ['server 127.0.0.1:4321 ', `server 127.0.0.1:${port} `],
    ]);
    return `error_log ${log} warn;\n${filled}`;
  });
  await readOften(front, 2 * live);
  front.stop();
  assert.is(readFileSync(log, 'utf8'), '');
});

one('that names no caller does not lift the limits of all callers', async () => {
  // Without proxy_set_header, nginx names no caller.
  const front = await startNginxWith(
    (own) => `server { listen 127.0.0.1:${own}; location / { proxy_pass http://127.0.0.1:${port}; } }`,
  );
  const statuses = await readOften(front, live + 2);
  front.stop();
  assert.equal(statuses.slice(-2), [429, 429], statuses.join());
});

one.run();
