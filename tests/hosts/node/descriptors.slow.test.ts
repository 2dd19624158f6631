import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { findPort, makeFolder } from '../../support/server.ts';

const descriptors = suite('few descriptors, and an end by npm');
const root = join(import.meta.dirname, '..', '..', '..');

/** A command in a shell with a host in it: what it printed, and its port. */
async function start(command: string) {
  const port = await findPort();
  const env = { ...process.env, PORT: String(port), DATA_DIR: makeFolder(), HOST: '127.0.0.1' };
  const child = spawn('sh', ['-c', command], { cwd: root, env, stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.on('data', (bytes) => {
    output += bytes;
  });
  const ask = () =>
    fetch(`http://127.0.0.1:${port}/readyz`).then(
      ({ status }) => status,
      () => 0,
    );
  while ((await ask()) !== 200) await new Promise((resolve) => setTimeout(resolve, 50));
  return { child, port, output: () => output, ask };
}

descriptors('ulimit -n below MAX_CONNECTIONS is told, and the host answers beyond it', async () => {
  const { child, port, output, ask } = await start('ulimit -n 200; exec node dist/host/main.mjs');
  assert.match(output(), /MAX_CONNECTIONS is 10000, but ulimit -n is 200: at most 136 connections/);
  const sockets = Array.from({ length: 180 }, () => connect(port, '127.0.0.1').on('error', () => {}));
  const refused = await new Promise<string>((resolve) => {
    for (const socket of sockets) socket.once('data', (bytes) => resolve(String(bytes)));
  });
  assert.match(refused, /503 [\s\S]*too_many_connections/);
  for (const socket of sockets) socket.destroy();
  while ((await ask()) !== 200) await new Promise((resolve) => setTimeout(resolve, 20));
  child.kill('SIGTERM');
  assert.equal(await once(child, 'exit'), [0, null]);
});

descriptors('SIGINT to what npm start runs ends the host after its drain', async () => {
  const { child, ask } = await start('exec node scripts/with-node.mjs dist/host/main.mjs');
  child.kill('SIGINT');
  assert.equal(await once(child, 'exit'), [0, null]);
  assert.is(await ask(), 0);
});

descriptors.run();
