import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { readSettings } from '../../../../src/hosts/node/settings.ts';
import { openStore } from '../../../../src/stores/open-store.ts';
import { makeFolder, useServer, withServer } from '../../../support/server.ts';

const settings = suite('wrong settings');
const root = join(import.meta.dirname, '..', '..', '..', '..');

const isRoot = process.getuid?.() === 0;
const asNobody = ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups', '--bounding-set=-all'];
const canDrop = isRoot && spawnSync('setpriv', ['--version']).status === 0;

/** Starts the host and returns how it ended. The command line begins with `before`. */
function startInVain(env: Record<string, string>, before: string[] = []) {
  const [program, ...args] = [...before, process.execPath, 'dist/host/main.mjs'];
  const { status, signal, stdout, stderr } = spawnSync(program!, args, {
    cwd: root,
    env: { PATH: process.env.PATH, PORT: '0', DATA_DIR: makeFolder(), ...env },
    encoding: 'utf8',
    timeout: 60_000,
    killSignal: 'SIGKILL',
  });
  const printed = stdout + stderr;
  assert.equal([signal, status], [null, 1], `${JSON.stringify(env)} ends by itself: ${printed}`);
  assert.not.match(printed, /^\s+at |node:internal|Node\.js v|sesame|Careers Placement Service on/m);
  return printed;
}

const wrong: [name: string, value: string, says?: RegExp][] = [
  ['LISTEN', '/run/careers.sock', /unix: and an absolute path/],
  ['LISTEN', 'unix:careers.sock'],
  ['LISTEN', `unix:/${'a'.repeat(103)}`, /at most 103 bytes/],
  ['PORT', '65536', /whole number from 0 to 65535/],
  ['PORT', '-1'],
  ['LOG_SAMPLE', '1.5', /from 0 to 1/],
  ['HEADER_TIMEOUT_SECONDS', '31', /at most REQUEST_TIMEOUT_SECONDS/],
  ['STORE_REPLICAS', '1', /without STORE_URL/],
  ['STORE_DURABILITY', 'fsync', /one of always, second, none/],
  ['REQUEST_TIMEOUT_SECONDS', '9', /HEADER_TIMEOUT_SECONDS must be at most/],
  ['BASE_URL', 'https://careers.example/path', /without path or login/],
  ['BASE_URL', 'ftp://careers.example'],
  ['BASE_URL', 'https://operator:sesame@careers.example'],
  ['ALLOWED_ORIGINS', 'https://one.example, two.example, https://three.example', /"two\.example" is none/],
  ['ALLOWED_ORIGINS', 'https://*.example', /"https:\/\/\*\.example" is none/],
  ['BASE_URL', 'https://*.example'],
  ['CONTACT', 'me@careers.example', /mailto:, https: or tel:/],
  ['CONTACT', 'mailto:me'],
  ['CONTACT', 'https://operator:sesame@careers.example/'],
  ['ALLOWED_ORIGINS', 'https://operator:sesame@one.example', /"\*\*\*@one\.example" is none/],
  ['STORE_URL', 'localhost:6379', /redis:\/\/HOST:PORT/],
  ['STORE_URL', 'redis://', /not HOST:PORT/],
  ['STORE_URL', 'redis://localhost:99999', /not HOST:PORT/],
  ['STORE_URL', 'redis://localhost:port', /not HOST:PORT/],
  ['STORE_URL', 'redis://localhost:6379/notanumber', /\/DB, a whole number/],
  ['STORE_URL', 'redis://localhost:6379/1?family=6', /addresses may be followed by /],
  ['STORE_URL', 'redis://::1:6379', /\[IPV6\]:PORT/],
  ['STORE_URL', 'redis-cluster://a:1,[::1]', /not HOST:PORT/],
  ['STORE_URL', 'redis-sentinel://a:1,::1:26379/careers', /\[IPV6\]:PORT/],
  ['STORE_URL', 'redis://one:6379,two:6379', /not HOST:PORT/],
  ['STORE_URL', 'redis://operator:sesame%zz@localhost:6379', /%25/],
  ['STORE_URL', 'redis-cluster://operator:%E0%A4sesame@localhost:6379', /%25/],
  ['STORE_URL', 'redis-cluster://,', /not HOST:PORT/],
  ['STORE_URL', 'redis-cluster://a:1,', /not HOST:PORT/],
  ['STORE_URL', 'redis-cluster://a:1, b:2', /not HOST:PORT/],
  ['STORE_URL', 'redis-cluster://a:1,redis-cluster://b:2', /not HOST:PORT/],
  ['STORE_URL', 'redis-cluster://operator:sesame@a:1,operator:sesame@b:2', /login is given once.*%40/],
  ['STORE_URL', 'redis-cluster://a:1,operator:sesame@b:2', /login is given once.*%2C/],
  ['STORE_URL', 'redis-cluster://a:1/2', /addresses may be followed by /],
  ['STORE_URL', 'rediss-cluster://a:1,b', /not HOST:PORT/],
  ['STORE_URL', 'redis-sentinel://a/careers', /not HOST:PORT/],
  ['STORE_URL', 'redis-sentinel://a:26379,b:26379', /\/MASTER-NAME/],
  ['STORE_URL', 'redis-sentinel://a:26379/careers/x', /\/MASTER-NAME.*\/DB/],
  ['STORE_URL', 'redis-ring://a:1', /redis-sentinel/],
  ['STORE_REPLICAS', '-1', /whole number/],
  ['RETENTION_SECONDS', '1e3'],
  ['TRUST_PROXY', 'yes'],
  ['RATE_LIMIT', 'On'],
  ['LOG', 'none', /live, all, off/],
  ['DECLARE_TEST_SUITE', 'true'],
];

settings('each wrong value is refused by the name of its setting, and no password is in the message', () => {
  for (const [name, value, says = /./] of wrong) {
    try {
      readSettings({ [name]: value });
    } catch (error) {
      const { message } = error as Error;
      assert.is(message.split('\n').length, 1, message);
      assert.match(message, new RegExp(`^(${name}|HEADER_TIMEOUT_SECONDS) must be `));
      assert.match(message, says, `${name}=${value}`);
      assert.not.match(message, /sesame/);
      continue;
    }
    assert.unreachable(`${name}=${value} was accepted`);
  }
});

settings('a start names every wrong setting at once', () => {
  const more = {
    PORT: 'abc',
    BASE_URL: 'nope',
    RETENTION_SECONDS: '0',
    ALLOWED_ORIGINS: 'https://a.example,b',
  };
  const printed = startInVain(more);
  for (const name of Object.keys(more)) assert.match(printed, new RegExp(`^${name} must be `, 'm'));
});

settings('an empty setting counts as not set, and settings are trimmed', () => {
  const read = readSettings({
    PORT: '',
    BASE_URL: ' https://A.example/ ',
    CONTACT: ' ',
    ALLOWED_ORIGINS: ' http://b , ',
  });
  assert.is(read.PORT, 4321);
  assert.is(read.BASE_URL, 'https://a.example');
  assert.is(read.CONTACT, '');
  assert.equal(read.ALLOWED_ORIGINS, ['http://b']);
});

settings('ALLOWED_ORIGINS may be *, alone or beside origins', () => {
  assert.equal(readSettings({ ALLOWED_ORIGINS: '*' }).ALLOWED_ORIGINS, ['*']);
  assert.equal(readSettings({ ALLOWED_ORIGINS: '*, http://b' }).ALLOWED_ORIGINS, ['*', 'http://b']);
});

/** What only a real start can refuse. */
const unusable: [name: string, value: string, says: RegExp, before?: string[]][] = [
  ['HOST', 'no-such-host.invalid', /an address of this machine.*does not resolve/],
  ['HOST', '203.0.113.9', /an address of this machine.*203\.0\.113\.9 is none/],
  ['LISTEN', 'unix:/no/such/folder/careers.sock', /its folder must be there/],
  ['DATA_DIR', '/proc/x', /no store can be kept/],
];
if (canDrop) {
  unusable.push(['DATA_DIR', join(makeFolder(), 'more'), /permission denied/i, asNobody]);
  const free = '/proc/sys/net/ipv4/ip_unprivileged_port_start';
  if (existsSync(free) && Number(readFileSync(free, 'utf8')) > 80)
    unusable.push(['PORT', '80', /this user may listen on/, asNobody]);
} else console.log('\nskipped: dropping rights needs root and setpriv');

for (const [name, value, says, before] of unusable) {
  settings(`a start stops at ${name}=${value}, and says why`, () => {
    const store: Record<string, string> = name === 'PORT' ? { STORE_URL: 'redis://localhost' } : {};
    const printed = startInVain({ ...store, [name]: value }, before);
    assert.match(printed.split('\n').find((line) => line.includes(name)) ?? printed, says);
  });
}

settings('a busy port is reported as busy', async () => {
  const { port } = await useServer();
  assert.match(startInVain({ PORT: String(port) }), `Port ${port} is in use`);
});

settings('a data folder that is a file, is below a file, or has an invalid name is refused', async () => {
  const file = join(makeFolder(), 'file');
  writeFileSync(file, 'kept');
  const noFolder = /: \S+\/file is no folder\. Set DATA_DIR to one/;
  for (const [dataDir, says] of [
    [file, noFolder],
    [join(file, 'data', 'more'), noFolder],
    ['/dev/null/x', /./],
    [join(file, '..', 'x'.repeat(300)), /./],
    ['a\0b', /./],
  ] as const) {
    const { message } = await openStore({ url: '', dataDir }).catch((reason) => reason);
    assert.match(message, /^DATA_DIR is .*, where no store can be kept: /);
    assert.match(message, says);
  }
});

settings('every scheme, login and IPv6 address is accepted', () => {
  const urls = [
    'redis://localhost',
    'redis://[::1]:1',
    'rediss://:a%2Fb%40c%25@localhost:1/2',
    'redis://user:p@ss@localhost:1/',
    'redis-cluster://user:a%20b@localhost:1,[::1]:2',
    'redis://user:a,b@localhost:1/',
    'rediss-cluster://user:a%2Cb@localhost:1/',
    'rediss-cluster://localhost:1',
    'redis-sentinel://user:a%20b@localhost:1,[::1]:2/careers-1.a/3',
    'rediss-sentinel://localhost:1/careers/',
  ];
  for (const STORE_URL of urls) assert.is(readSettings({ STORE_URL }).STORE_URL, STORE_URL);
});

settings('stored files are readable by their user alone: files 0600, the folder 0700', async () => {
  const folder = join(makeFolder(), 'data');
  await withServer({ LOG: 'off', DATA_DIR: folder }, async ({ origin }) => {
    const body = JSON.stringify({ name: 'A', onetCode: '15-1252.00' });
    await fetch(`${origin}/candidates`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body,
    });
    const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);
    assert.is(modeOf(folder), '700');
    const files = readdirSync(folder);
    assert.ok(files.includes('workspaces.sqlite') && files.includes('signing-key.pem'), files.join());
    for (const file of files) assert.is(modeOf(join(folder, file)), '600', file);
  });
});

settings.run();
