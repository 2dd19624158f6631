import { closeSync, openSync, readdirSync, readFileSync, writeFileSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { SqliteStore } from '../../../src/stores/sqlite.ts';
import { make, openSqlite } from '../../support/changes.ts';
import { makeFolder } from '../../support/server.ts';

const sqlite = suite('SQLite and files that it cannot use');

/** Makes a file of this service, then runs SQL on it. */
async function makeOurs(path: string, sql = ''): Promise<void> {
  const tested = openSqlite(path);
  await make(tested);
  await tested.close();
  const database = new DatabaseSync(path);
  database.exec(`PRAGMA journal_mode = DELETE; ${sql}`);
  database.close();
}

interface Foreign {
  make(path: string): void | Promise<void>;
  /** The message about each file. */
  says: RegExp;
}

const foreign: Record<string, Foreign> = {
  'a text': {
    make: (path) => writeFileSync(path, 'dear diary, '.repeat(500)),
    says: /is not a database of this service and version/,
  },
  "another program's database": {
    make(path) {
      const database = new DatabaseSync(path);
      database.exec('PRAGMA journal_mode = WAL; CREATE TABLE t (x); INSERT INTO t VALUES (1)');
      database.close();
    },
    says: /is not a database of this service and version/,
  },
  'a database of a later format': {
    make: (path) => makeOurs(path, 'PRAGMA user_version = 99'),
    says: /has workspaces of a later format \(99\); this release reads formats \d+ to \d+/,
  },
  'a database of format 1': {
    make: (path) => makeOurs(path, 'PRAGMA user_version = 1'),
    says: /has workspaces of an earlier format \(1\), which is not read/,
  },
  'a database from before the formats were numbered anew': {
    make: (path) => makeOurs(path, 'PRAGMA application_id = 0x43505331; PRAGMA user_version = 8'),
    says: /has workspaces of an earlier format \(8\), which is not read/,
  },
  'a database of ours that is cut short': {
    async make(path) {
      await makeOurs(path);
      writeFileSync(path, readFileSync(path).subarray(0, 5000));
    },
    says: /cannot be used as a database/,
  },
  'a database of ours whose first page is overwritten': {
    async make(path) {
      await makeOurs(path);
      const file = openSync(path, 'r+');
      writeSync(file, Buffer.alloc(2000, 0x5a), 0, 2000, 100);
      closeSync(file);
    },
    says: /cannot be used as a database/,
  },
};

for (const [what, { make: makeForeign, says }] of Object.entries(foreign)) {
  sqlite(`refuses ${what} by name, and leaves it as it is`, async () => {
    const path = join(makeFolder(), 'workspaces.sqlite');
    await makeForeign(path);
    const before = readFileSync(path);
    const files = readdirSync(dirname(path));

    const { message } = catchError(() => new SqliteStore(path));

    assert.ok(message.startsWith(path), message);
    assert.match(message, says);
    assert.match(message, 'it was left as it is');
    assert.ok(before.equals(readFileSync(path)));
    assert.equal(readdirSync(dirname(path)), files);
  });
}

function catchError(run: () => unknown): Error {
  try {
    run();
  } catch (error) {
    return error as Error;
  }
  throw new Error('nothing was thrown');
}

sqlite.run();
