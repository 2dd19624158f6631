import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

const client = join(import.meta.dirname, '..', '..', 'dist', 'client');
const folder = join(client, '_astro');
const scripts = suite('the scripts of the pages');
/** Bytes of all of them, each compressed for itself as it is sent; lit-html, of the workspace page, is 3,300 of them. */
const budget = 51_000;

const files = readdirSync(folder).filter((name) => name.endsWith('.js'));
const read = (name: string) => readFileSync(join(folder, name), 'utf8');

/** A script and all that it imports, at once or on demand. */
function withImports(name: string, seen = new Set<string>()): Set<string> {
  if (seen.has(name)) return seen;
  seen.add(name);
  for (const other of files) if (read(name).includes(other)) withImports(other, seen);
  return seen;
}

/** The scripts that a page can come to load. */
function scriptsOf(page: string): string[] {
  const html = readFileSync(join(client, page), 'utf8');
  const own = [...html.matchAll(/<script[^>]*\ssrc="\/_astro\/([^"]+)"/g)].map(([, name]) => name!);
  return [...new Set(own.flatMap((name) => [...withImports(name)]))];
}

scripts(`are at most ${budget} bytes compressed, all together`, () => {
  const sizes = files.map((name) => brotliCompressSync(read(name)).length);
  const sum = sizes.reduce((total, size) => total + size, 0);
  console.log(`\nfigure: scripts of the pages ${sum} bytes compressed in ${files.length} files`);
  assert.ok(sum > 5000 && sum <= budget, `${sum} bytes`);
});

scripts('are loaded where they are used and nowhere else', () => {
  const common = scriptsOf('404.html');
  assert.ok(common.length <= 4, `every page loads ${common}`);
  for (const [page, own] of [
    ['workspace.html', /^workspace\.astro|^solver/],
    ['receipt.html', /^receipt\.astro/],
    ['confirm.html', /^confirm\.astro/],
    ['shortlist.html', /^shortlist\.astro/],
  ] as const) {
    assert.ok(
      scriptsOf(page).some((name) => own.test(name)),
      page,
    );
    for (const other of [
      'index.html',
      'api.html',
      'occupations.html',
      '404.html',
      'occupations/11-1011.00.html',
    ]) {
      assert.not.ok(
        scriptsOf(other).some((name) => own.test(name)),
        `${other} loads what is for ${page}`,
      );
    }
  }
  assert.equal(scriptsOf('occupations/11-1011.00.html'), common, 'an occupation needs none of its own');
});

scripts.run();
