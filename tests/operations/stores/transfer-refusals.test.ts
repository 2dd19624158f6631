import { existsSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { runBadly } from '../../support/data-commands.ts';
import { makeFolder, startServer } from '../../support/server.ts';
import { name } from '../../support/stored-files.ts';

const refusal = suite('npm run transfer of a wrong store');

const mistaken = [
  'valkey://:sesame@localhost:6379',
  'REDIS://:sesame@localhost',
  '//:sesame@localhost',
  'operator:sesame@localhost:6379',
];
for (const url of mistaken)
  refusal(`refuses ${url.replace('sesame', 'PASSWORD')} without its password, and makes no folder`, () => {
    const said = runBadly('transfer', ['--from', makeFolder(), '--to', url]);
    const refused = runBadly('transfer', ['--from', url, '--to', makeFolder()]);
    assert.match(refused, '--from cannot be used: it is no folder, no file and no URL of a server.');
    assert.not.match(said + refused, 'sesame');
    assert.not(existsSync(url.split('/')[0] || 'none'));
  });

refusal('hides the login of an argument without its option', () => {
  const said = runBadly('transfer', ['redis://:sesame@localhost']);
  assert.match(said, "Unexpected argument '***@localhost'");
});

refusal('refuses a link to the database of a running service', async () => {
  const server = await startServer({ LOG: 'off' });
  const link = join(makeFolder(), 'link.sqlite');
  symlinkSync(join(server.dataDir, name), link);
  assert.match(runBadly('transfer', ['--from', link, '--to', makeFolder()]), 'it is in use by process');
  await server.stop();
});

refusal('refuses one store under two names', () => {
  const folder = makeFolder();
  assert.match(runBadly('transfer', ['--from', folder, '--to', `${folder}/`]), 'are the same store');
});

refusal.run();
