import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { checkStart } from '../../../../src/hosts/node/check.ts';
import { SqliteStore } from '../../../../src/stores/sqlite.ts';
import { format } from '../../../../src/stores/sqlite-file.ts';
import { readKept, writeKept } from '../../../support/kept-stores.ts';
import { openServer } from '../../../support/open-host.ts';
import { makeFolder } from '../../../support/server.ts';

const checks = suite('--check says what a start does');
type Environment = Record<string, string>;

/** Opens the host as a start does. Returns whether it listens; if so, it is stopped. */
async function tryStart(env: Environment): Promise<boolean> {
  return openServer(env).then(
    async (host) => {
      await host.stop();
      return true;
    },
    () => false,
  );
}

const temporary = dirname(makeFolder());

/** Lists the files in a folder, if it is one of ours. */
function listFiles(folder: string): string[] {
  const isOurs = folder.startsWith(temporary) && statSync(folder, { throwIfNoEntry: false })?.isDirectory();
  return isOurs ? readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort() : [];
}

/** Makes a folder with a file in it. */
function makeFolderWith(name: string, text: string): string {
  const folder = makeFolder();
  writeFileSync(join(folder, name), text, { mode: 0o600 });
  return folder;
}

/** Listens until the test process ends. */
async function occupy(at: { port: number } | { path: string }): Promise<number> {
  const server = createServer().listen(at).unref();
  await once(server, 'listening');
  const address = server.address();
  return typeof address === 'object' ? address!.port : 0;
}

const inFolder = (make: (folder: string) => void) => () => {
  const DATA_DIR = makeFolder();
  make(DATA_DIR);
  return { DATA_DIR };
};

/** What an operator may set, and what may be at that place. */
const environments: Record<string, () => Environment | Promise<Environment>> = {
  'an empty folder': () => ({ DATA_DIR: makeFolder() }),
  'a folder that is not there': () => ({ DATA_DIR: join(makeFolder(), 'a', 'b') }),
  'a folder where none can be made': () => ({ DATA_DIR: '/proc' }),
  'a folder below one where none can be made': () => ({ DATA_DIR: '/proc/careers' }),
  'a file for a folder': () => ({ DATA_DIR: join(makeFolderWith('file', 'text'), 'file') }),
  'a folder below a file': () => ({ DATA_DIR: join(makeFolderWith('file', 'text'), 'file', 'data') }),
  'a link that leads nowhere': () => {
    const link = join(makeFolder(), 'link');
    symlinkSync('nowhere', link);
    return { DATA_DIR: link };
  },
  'a folder below a link that leads nowhere': () => {
    const link = join(makeFolder(), 'link');
    symlinkSync('nowhere', link);
    return { DATA_DIR: join(link, 'data') };
  },
  'a text for a database': () => ({ DATA_DIR: makeFolderWith('workspaces.sqlite', 'text') }),
  'an empty database': () => ({ DATA_DIR: makeFolderWith('workspaces.sqlite', '') }),
  'a folder for a database': inFolder((folder) => mkdirSync(join(folder, 'workspaces.sqlite'))),
  'a database of another program': inFolder((folder) => {
    const database = new DatabaseSync(join(folder, 'workspaces.sqlite'));
    database.exec('CREATE TABLE a (b)');
    database.close();
  }),
  'a database of this service': async () => {
    const DATA_DIR = makeFolder();
    await new SqliteStore(join(DATA_DIR, 'workspaces.sqlite')).close();
    return { DATA_DIR };
  },
  'a database of this service that lost its tables': inFolder((folder) => {
    const database = new DatabaseSync(join(folder, 'workspaces.sqlite'));
    database.exec(
      `CREATE TABLE a (b); PRAGMA application_id = ${0x43505753}; PRAGMA user_version = ${format}`,
    );
    database.close();
  }),
  'a database of an older format': inFolder((folder) => writeKept(join(folder, 'workspaces.sqlite'))),
  'a database of an older format that was cut': inFolder((folder) => {
    writeFileSync(join(folder, 'workspaces.sqlite'), readKept('sqlite-2').subarray(0, 65_536));
  }),
  'a folder for a lock': inFolder((folder) => mkdirSync(join(folder, 'lock.sqlite'))),
  'a text for a lock': () => ({ DATA_DIR: makeFolderWith('lock.sqlite', 'text '.repeat(300)) }),
  'a text for a key': () => ({ DATA_DIR: makeFolderWith('signing-key.pem', 'text') }),
  'a folder for a key': inFolder((folder) => mkdirSync(join(folder, 'signing-key.pem'))),
  'a restore that ended halfway': () => ({ DATA_DIR: makeFolderWith('signing-key.pem.restoring', '') }),
  'a signing key that is none': () => ({ SIGNING_KEY: 'text' }),
  'a signing key of another kind': () => {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    return { SIGNING_KEY: String(privateKey.export({ format: 'pem', type: 'pkcs8' })) };
  },
  'a signing key': () => {
    const { privateKey } = generateKeyPairSync('ed25519');
    return { SIGNING_KEY: String(privateKey.export({ format: 'pem', type: 'pkcs8' })) };
  },
  'a port in use': async () => ({ PORT: String(await occupy({ port: 0 })) }),
  'a port that is none': () => ({ PORT: '70000' }),
  'a host that is no address of this machine': () => ({ HOST: '192.0.2.1' }),
  'this machine as a host': () => ({ HOST: '127.0.0.1' }),
  'a socket': () => ({ PORT: '1', LISTEN: `unix:${join(makeFolder(), 'careers.sock')}` }),
  'a file for a socket': () => ({ LISTEN: `unix:${join(makeFolderWith('file', 'text'), 'file')}` }),
  'a folder for a socket': () => ({ LISTEN: `unix:${makeFolder()}` }),
  'a socket in a folder that is not there': () => ({
    LISTEN: `unix:${join(makeFolder(), 'a', 'careers.sock')}`,
  }),
  'a socket with a path that is too long': () => ({ LISTEN: `unix:${join(makeFolder(), 'a'.repeat(120))}` }),
  'a socket in use': async () => {
    const path = join(makeFolder(), 'careers.sock');
    await occupy({ path });
    return { LISTEN: `unix:${path}` };
  },
  'a link that leads nowhere for a socket': () => {
    const link = join(makeFolder(), 'link');
    symlinkSync('nowhere', link);
    return { LISTEN: `unix:${link}` };
  },
};

for (const [what, prepare] of Object.entries(environments)) {
  checks(`with ${what}`, async () => {
    const env = { DATA_DIR: makeFolder(), ...(await prepare()) };
    const before = listFiles(env.DATA_DIR);
    const { text, wouldStart } = await checkStart({ PORT: '0', ...env });
    assert.equal(listFiles(env.DATA_DIR), before, 'it leaves nothing');
    assert.is(wouldStart, await tryStart(env), text);
  });
}

checks('beside a host that runs in the folder, it names that and does not disturb it', async () => {
  const host = await openServer();
  const { text, wouldStart } = await checkStart({ DATA_DIR: host.dataDir, PORT: String(host.port) });
  assert.ok(wouldStart, text);
  assert.match(text, 'A host runs with DATA_DIR');
  assert.is((await fetch(`${host.origin}/healthz`)).status, 200);
  await host.stop();
});

checks.run();
