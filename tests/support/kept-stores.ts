import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { gunzipSync } from 'node:zlib';
import { createClient } from '@redis/client';
import * as assert from 'uvu/assert';
import { openUnchanging } from '../../src/stores/backup-file.ts';
import { makeFolder } from './server.ts';
import { name } from './stored-files.ts';
import type { World } from './world.ts';

const folder = join(import.meta.dirname, '..', 'operations', 'stores', 'kept');

/** What the release that wrote the kept stores said of them. */
export const facts = JSON.parse(readFileSync(join(folder, 'facts.json'), 'utf8'));

/** Reads a file of tests/operations/stores/kept. */
export const readKept = (file: 'sqlite-2' | 'backup-2' | 'redis-3.json'): Buffer =>
  gunzipSync(readFileSync(join(folder, `${file}.gz`)));

/** Writes the kept database of the format SQLite 2 to a path. */
export const writeKept = (path: string): void => writeFileSync(path, readKept('sqlite-2'));

/** Writes the kept store of the format Redis 3 to a database of a server. */
export async function writeKeptRedis(url: string): Promise<void> {
  type Argument = string | { base64: string };
  const commands = JSON.parse(readKept('redis-3.json').toString()) as Argument[][];
  const client = await createClient({ url }).connect();
  for (const command of commands)
    await client.sendCommand(
      command.map((argument) =>
        typeof argument === 'string' ? argument : Buffer.from(argument.base64, 'base64'),
      ),
    );
  await client.close();
}

/** Makes a folder with the kept database. */
export function makeOlderFolder(): string {
  const dataDir = makeFolder();
  writeKept(join(dataDir, name));
  return dataDir;
}

/** Reads the rows of a closed database, without its stamps. Leaves no file beside it. */
export function readRows(path: string): Record<string, Record<string, unknown>[]> {
  const database = openUnchanging(path);
  const tables = ['workspaces', 'records', 'replies', 'activity', 'tokens'];
  const rows = tables.map((table) => [table, database.prepare(`SELECT * FROM ${table}`).all()]);
  database.close();
  return Object.fromEntries(rows);
}

/** Asserts that a service serves all that the kept store holds, with the ends as they were shown. */
export async function holdToFacts({ ask }: Pick<World, 'ask'>): Promise<void> {
  const desk = { 'x-workspace': facts.desk };
  for (const [id, shown] of Object.entries<object>(facts.ends)) {
    const { body } = await ask('GET', `/placements/${id}`, undefined, desk);
    const { status, endDate, endReason } = body.placement;
    assert.equal(JSON.parse(JSON.stringify({ status, endDate, endReason })), shown, id);
  }
  const again = await ask('POST', '/candidates', facts.keptBody, { ...desk, ...facts.key });
  assert.is(again.body.candidate?.id, facts.keptReply, 'the reply that a key keeps');
  for (const { workspace, id } of [facts.brief, facts.minted]) {
    const headers = { 'x-workspace': workspace };
    assert.is((await ask('GET', '/workspace', undefined, headers)).status, 200, id);
  }
  const { minted } = facts;
  const path = `/candidates/${minted.id}`;
  assert.is((await ask('GET', path, undefined, { 'x-workspace': minted.workspace })).status, 200);
}

/** Asserts that each head counts the bytes of the records and replies of its workspace. */
export function holdToSizes(path: string): void {
  const database = openUnchanging(path);
  const sizes = `SELECT number, json_extract(head, '$.bytes') AS counted,
    (SELECT ifnull(sum(length(CAST(text AS BLOB))), 0) FROM records WHERE workspace = number_of) +
    (SELECT ifnull(sum(bytes), 0) FROM replies WHERE workspace = number_of) AS bytes
    FROM (SELECT number, number AS number_of, head FROM workspaces)`;
  for (const { number, counted, bytes } of database.prepare(sizes).all())
    assert.is(counted, bytes, `workspace ${number}`);
  database.close();
}
