import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { checkStart } from '../../../../src/hosts/node/check.ts';
import { findNearSettings } from '../../../../src/hosts/node/near-settings.ts';
import { Environment } from '../../../../src/hosts/node/settings.ts';
import { makeKey, toPem } from '../../../support/receipts.ts';
import { makeFolder, withServer } from '../../../support/server.ts';

const command = suite('the command line of the host');
const root = join(import.meta.dirname, '..', '..', '..', '..');

/** Runs the built host, which must end by itself. */
function runHost(args: string[], env: Record<string, string> = {}, before: string[] = []) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [...before, 'dist/host/main.mjs', ...args], {
    cwd: root,
    env: { PATH: process.env.PATH, PORT: '0', DATA_DIR: makeFolder(), ...env },
    encoding: 'utf8',
    timeout: 60_000,
  });
  return { status, stdout, stderr };
}

/** Checks these settings as --check does, in this process. */
const check = (env: Record<string, string> = {}) => checkStart({ PORT: '0', DATA_DIR: makeFolder(), ...env });

command('--help says how to start it', () => {
  const { status, stdout } = runHost(['--help']);
  assert.is(status, 0);
  assert.match(stdout, /^Usage: npm start/);
});

command('--version has the version and the commit', () => {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const { status, stdout } = runHost(['--version']);
  assert.is(status, 0);
  assert.match(stdout, new RegExp(`^Careers Placement Service ${version}, commit \\S+, Node 26\\.`));
});

command('an unknown option is refused with the usage', () => {
  const { status, stderr } = runHost(['--prot']);
  assert.is(status, 2);
  assert.match(stderr, "Unknown option '--prot'.\n\nUsage: npm start");
});

command('an option that is a setting is refused, and says how to set it', () => {
  const { status, stderr } = runHost(['--base-url=https://careers.example']);
  assert.is(status, 2);
  assert.match(
    stderr,
    'BASE_URL is a setting, not an option. Set it in the environment: BASE_URL=VALUE npm start',
  );
});

command('npm start passes its options on', () => {
  const { status, stdout } = spawnSync(
    process.execPath,
    ['scripts/with-node.mjs', 'scripts/start.ts', '--help'],
    {
      cwd: root,
      encoding: 'utf8',
    },
  );
  assert.is(status, 0);
  assert.match(stdout, /^Usage: npm start/);
});

command('--check lists every setting, and marks those that are changed', async () => {
  const { text } = await check({ RETENTION_SECONDS: '60' });
  for (const name of Object.keys(Environment.entries))
    assert.match(text, new RegExp(`^[ *] ${name}\\b`, 'm'));
  assert.match(text, /^\* RETENTION_SECONDS +60$/m);
  assert.match(text, /^ {2}RECORD_CEILING +1000$/m);
});

command('--check exits with 0 if the service would start', () => {
  const { status, stdout } = runHost(['--check']);
  assert.is(status, 0, stdout);
  assert.match(stdout, /\nThe service would start\.\n$/);
});

command('--check makes no folder', async () => {
  const folder = join(makeFolder(), 'data');
  assert.ok((await check({ DATA_DIR: folder })).wouldStart);
  assert.not(existsSync(folder));
});

command('--check names every wrong setting, and exits with 1', () => {
  const { status, stdout } = runHost(['--check'], { PORT: 'http', LOG: 'loud' });
  assert.is(status, 1);
  assert.match(stdout, 'PORT must be a whole number');
  assert.match(stdout, 'LOG must be one of live, all, off');
  assert.match(stdout, /\nThe service would not start\.\n$/);
});

command('--check names a file that is not a store', async () => {
  const folder = makeFolder();
  writeFileSync(join(folder, 'workspaces.sqlite'), 'not a database');
  const { text, wouldStart } = await check({ DATA_DIR: folder });
  assert.not(wouldStart);
  assert.match(text, 'is not a database of this service and version');
});

command('--check names a key file that is none', async () => {
  const folder = makeFolder();
  writeFileSync(join(folder, 'signing-key.pem'), 'not a key');
  const { text, wouldStart } = await check({ DATA_DIR: folder });
  assert.not(wouldStart);
  assert.match(text, 'signing-key.pem is no key to sign by');
});

if (process.platform !== 'win32')
  command('--check names a key file that others may read', async () => {
    const folder = makeFolder();
    writeFileSync(join(folder, 'signing-key.pem'), toPem(makeKey()), { mode: 0o644 });
    const { text, wouldStart } = await check({ DATA_DIR: folder });
    assert.not(wouldStart);
    assert.match(text, 'others on this machine may read it, so set its mode to 0600');
  });

command('--check says that the disk has less than STORE_FREE left', async () => {
  const { text, wouldStart } = await check({ STORE_FREE: '1125899906842624' });
  assert.ok(wouldStart);
  assert.match(text, /The store would be full from the start.*STORE_FREE is 1125899906842624/);
});

command('--check says that a store on a server cannot be reached', async () => {
  const { text } = await check({ STORE_URL: 'redis://127.0.0.1:1' });
  assert.match(text, 'STORE_URL: refused: nothing listens at the address');
});

const unusable: [name: string, value: string, said: RegExp][] = [
  ['HOST', '192.0.2.1', /HOST must be an address of this machine.*192\.0\.2\.1 is none/],
  [
    'LISTEN',
    'unix:/missing/careers.sock',
    /LISTEN is unix:\/missing\/careers\.sock.*its folder must be there/,
  ],
];

for (const [name, value, said] of unusable)
  command(`--check refuses ${name}=${value}, as the start does`, async () => {
    const { text, wouldStart } = await check({ [name]: value });
    assert.not(wouldStart);
    assert.match(text, said);
  });

command('an argument with a login is refused without it', () => {
  const { status, stderr } = runHost(['redis://:sesame@localhost']);
  assert.is(status, 2);
  assert.not.match(stderr, 'sesame');
});

const secrets: [name: string, value: string][] = [
  ['STORE_URL', 'redis://operator:sesame@127.0.0.1:1'],
  ['STORE_URL', 'redis-ring://operator:sesame@127.0.0.1:1'],
  ['BASE_URL', 'https://operator:sesame@careers.example'],
  ['SIGNING_KEY', toPem(makeKey())],
  ['SIGNING_KEY', 'sesame'],
];

for (const [name, value] of secrets)
  command(`--check shows no secret of ${name}=${value.slice(0, 12)}`, async () => {
    const { text } = await check({ [name]: value });
    const secret = value.includes('PRIVATE KEY') ? value.split('\n')[1]! : 'sesame';
    assert.not(text.includes(secret));
  });

/** Variables that have no effect, and the settings that were meant. */
const near: [sent: string, meant: string][] = [
  ['BASEURL', 'BASE_URL'],
  ['base_url', 'BASE_URL'],
  ['CAREERS_BASE_URL', 'BASE_URL'],
  ['CAREERS_PORT', 'PORT'],
  ['port', 'PORT'],
  ['RATE_LIMITS', 'RATE_LIMIT'],
  ['LIVE_RATE_LIMIT', 'RATE_LIMIT_LIVE'],
  ['DATADIR', 'DATA_DIR'],
  ['STORE_URI', 'STORE_URL'],
  ['STORE_REPLICA', 'STORE_REPLICAS'],
  ['TRUSTED_PROXY', 'TRUST_PROXY'],
  ['REQUEST_TIMEOUT', 'REQUEST_TIMEOUT_SECONDS'],
  ['REQUEST_TIMEOUT_MS', 'REQUEST_TIMEOUT_SECONDS'],
  ['CLAIMED_RETENTION_SECONDS', 'CLAIMED_RETENTION_DAYS'],
  ['METRIC', 'METRICS'],
  ['SIGNING_KEYS', 'SIGNING_KEY'],
];
const names = Object.keys(Environment.entries);

for (const [sent, meant] of near)
  command(`${sent} is taken for ${meant}`, () => {
    assert.equal(findNearSettings({ [sent]: 'x' }, names), [{ sent, meant }]);
  });

/** Variables of shells, systems, containers, clouds and other programs. */
const others =
  `PATH HOME HOSTNAME HOSTTYPE LANG LANGUAGE LC_ALL LOGNAME LS_COLORS MAIL OLDPWD PWD SHELL SHLVL TERM TZ USER USERNAME
  TMPDIR TMP TEMP EDITOR PAGER DISPLAY COLUMNS LINES BASH BASH_ENV BASH_VERSION POSIXLY_CORRECT HISTFILE IFS PS1
  SSH_CONNECTION SSH_CLIENT SSH_TTY SSH_AUTH_SOCK XDG_DATA_DIRS XDG_DATA_HOME XDG_RUNTIME_DIR XDG_SESSION_ID
  LISTEN_FDS LISTEN_PID LISTEN_FDNAMES NOTIFY_SOCKET INVOCATION_ID JOURNAL_STREAM STATE_DIRECTORY RUNTIME_DIRECTORY
  CACHE_DIRECTORY LOGS_DIRECTORY CREDENTIALS_DIRECTORY MAINPID WATCHDOG_USEC SYSTEMD_EXEC_PID MEMORY_PRESSURE_WATCH
  KUBERNETES_SERVICE_HOST KUBERNETES_SERVICE_PORT KUBERNETES_PORT KUBERNETES_PORT_443_TCP_ADDR CAREERS_SERVICE_HOST
  CAREERS_SERVICE_PORT CAREERS_PORT_4321_TCP_PROTO DOCKER_HOST CONTAINER_HOST COMPOSE_PROJECT_NAME POD_NAME POD_IP
  HTTP_PROXY HTTPS_PROXY NO_PROXY ALL_PROXY http_proxy https_proxy no_proxy NODE_ENV NODE_OPTIONS NODE_PATH
  NODE_EXTRA_CA_CERTS NODE_VERSION YARN_VERSION npm_config_port npm_package_version npm_lifecycle_event INIT_CWD COLOR
  UV_THREADPOOL_SIZE MALLOC_ARENA_MAX SQLITE_TMPDIR SSL_CERT_FILE SSL_CERT_DIR CI DEBUG LOG_LEVEL RUST_LOG COMMIT
  DATABASE_URL REDIS_URL REDIS_HOST PGHOST PGPORT MYSQL_HOST SMTP_HOST SMTP_PORT OTEL_METRICS_EXPORTER
  OTEL_EXPORTER_OTLP_ENDPOINT AWS_REGION AWS_ENDPOINT_URL GOOGLE_CLOUD_PROJECT WEBSITE_HOSTNAME DYNO RENDER FLY_REGION
  API_BASE_URL OPENAI_BASE_URL SOURCE_URL VIRTUAL_HOST GIT_COMMIT GITHUB_SHA CHROMIUM REDIS_SERVER BENCH_AGAINST`
    .split(/\s+/)
    .filter(Boolean);

for (const name of others)
  command(`${name} is left alone`, () => {
    assert.equal(findNearSettings({ [name]: 'x' }, names), []);
  });

command('the variables that Kubernetes sets for a service called careers are left alone', () => {
  assert.equal(findNearSettings({ CAREERS_PORT: 'tcp://10.0.0.1:4321' }, names), []);
});

command('--check names a variable that is no setting', async () => {
  const { text } = await check({ BASEURL: 'https://careers.example' });
  assert.match(
    text,
    'BASEURL is set, but no setting has this name, so it has no effect. Did you mean BASE_URL?',
  );
});

command('the start names a variable that is no setting', async () => {
  const printed = await withServer({ RATE_LIMITS: 'off' }, async () => {});
  assert.match(printed, /"level":"warning".*RATE_LIMITS is set, .* Did you mean RATE_LIMIT\?/);
});

/** Node options that let the process believe that it is an older Node. */
const asNode = (version: string) => [
  '--import',
  `data:text/javascript,Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } })`,
];

for (const version of ['18.20.0', '24.11.1'])
  command(`refuses Node ${version} as too old`, () => {
    const { status, stderr } = runHost([], {}, asNode(version));
    assert.is(status, 1);
    assert.match(stderr, new RegExp(`^Node ${version} is too old: this needs Node 26\\.`));
    assert.not.match(stderr, /^\s+at /m);
  });

for (const name of ['main', 'backup', 'restore', 'transfer'])
  command(`${name}.mjs refuses an old Node before it imports anything that this Node lacks`, () => {
    const program = join(root, 'dist', 'host', `${name}.mjs`);
    const options = { encoding: 'utf8' } as const;
    const { status, stderr } = spawnSync(process.execPath, [...asNode('20.20.2'), program], options);
    assert.is(status, 1);
    assert.match(stderr, /^Node 20\.20\.2 is too old: this needs Node 26\..*\n$/);
    /** Lists what a file imports before its own code runs. */
    const listImports = (file: string): string[] => {
      const text = readFileSync(join(root, 'dist', 'host', file), 'utf8');
      const names = [...text.matchAll(/^(?:import|\} from) ?[^;]*?['"](.+?)['"];/gm)].map(
        ([, from]) => from!,
      );
      return names.flatMap((from) => (from.startsWith('./') ? listImports(from) : [from]));
    };
    assert.equal([...new Set(listImports(`${name}.mjs`))], ['node:module']);
  });

command.run();
