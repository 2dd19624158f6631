import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { change, useNight } from '../../support/backed-up-night.ts';
import { runBadly } from '../../support/data-commands.ts';
import { name } from '../../support/stored-files.ts';

const refusal = suite('npm run restore of a wrong file');

const refusals: [what: string, change: (file: string) => void, said: RegExp][] = [
  [
    'a file of another program',
    (file) => writeFileSync(file, 'my notes'),
    /is no backup or database of this service/,
  ],
  ['a missing file', (file) => rmSync(file), /cannot be read \(ENOENT\)\. Name the file of a backup\./],
  [
    'a later format',
    (file) => change(file, 'PRAGMA user_version = 99'),
    /is of a later release: it has format 99/,
  ],
  ['an earlier format', (file) => change(file, 'PRAGMA user_version = 1'), /is of an earlier release/],
  [
    'a later release',
    (file) => change(file, `UPDATE backup SET facts = json_set(facts, '$.release', '99.0.0')`),
    /was made by release 99\.0\.0, and this is \d.*Restore it with release 99\.0\.0 or later/,
  ],
  [
    'a damaged file',
    (file) => writeFileSync(file, readFileSync(file).fill(0xee, 8192, 30_000)),
    /is damaged \(.*Use an older backup/,
  ],
  [
    'a file with one wrong letter',
    (file) => {
      const bytes = readFileSync(file);
      bytes[bytes.indexOf('Ann Sample')]! ^= 1;
      writeFileSync(file, bytes);
    },
    /is damaged \(its bytes are not those that were written\)/,
  ],
  [
    'a file without its end',
    (file) => writeFileSync(file, readFileSync(file).subarray(0, -1)),
    /is damaged \(its end is missing\)/,
  ],
  [
    'a workspace that is no JSON',
    (file) => change(file, "UPDATE workspaces SET head = '{'"),
    /is damaged \(workspace \d+ is no JSON\)/,
  ],
  [
    'a file that was cut off',
    (file) => writeFileSync(file, readFileSync(file).subarray(0, 20_000)),
    /is damaged \(.*Use an older backup/,
  ],
];

for (const [what, spoil, said] of refusals)
  refusal(`refuses ${what}, and changes nothing`, async () => {
    const { env, file } = await useNight();
    spoil(file);
    const files = [name, `${name}-wal`].map((one) => join(env.DATA_DIR, one));
    const before = files.map((one) => readFileSync(one));
    assert.match(runBadly('restore', [file], env), said);
    for (const [at, one] of files.entries()) assert.ok(readFileSync(one).equals(before[at]!), one);
  });

refusal.run();
