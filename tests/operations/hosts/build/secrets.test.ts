import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join, matchesGlob } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

const secrets = suite('files with a secret');
const root = join(import.meta.dirname, '..', '..', '..', '..');
const guides = join(root, 'content', 'guides');

/** Lists the files with a private key that commands of the guides write, and the file of settings. */
function listSecrets(): string[] {
  const text = readdirSync(guides)
    .map((name) => readFileSync(join(guides, name), 'utf8'))
    .join('\n');
  const blocks = [...text.matchAll(/^```sh\n(.*?)\n```$/gms)].map(([, block]) => block!);
  const written = blocks.flatMap((block) => [
    ...block.matchAll(/(?:-out|-keyout|>|cp -p \S+) ([\w./-]+\.(?:pem|key))\b/g),
  ]);
  return [...new Set(written.map(([, name]) => name!)), 'scripts/deploy/settings.env'];
}

/** Where a person may run the commands. */
const places = ['', 'scripts/deploy/'];
const files = listSecrets().flatMap((name) =>
  name.includes('/') ? [name] : places.map((place) => place + name),
);

secrets('of the guides are found', () => {
  for (const name of ['signing-key.pem', 'new-key.pem', 'keys.pem', 'redis-tls.key'])
    assert.ok(files.includes(name), name);
});

secrets('are ignored by git', () => {
  if (spawnSync('git', ['rev-parse'], { cwd: root }).status !== 0) return;
  for (const file of files)
    assert.is(
      spawnSync('git', ['check-ignore', '--quiet', '--no-index', file], { cwd: root }).status,
      0,
      file,
    );
});

secrets('do not get into the image', () => {
  const patterns = readFileSync(join(root, '.dockerignore'), 'utf8').trim().split('\n');
  for (const file of files)
    assert.ok(
      patterns.some((pattern) => matchesGlob(file, pattern)),
      file,
    );
});

secrets('do not get into the package', () => {
  const { files: packed } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  for (const file of files)
    assert.not.ok(
      packed.some((path: string) => `${file}/`.startsWith(`${path}/`)),
      file,
    );
});

secrets.run();
