import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import * as v from 'valibot';
import { Environment } from '../../../src/hosts/node/settings.ts';

const root = join(import.meta.dirname, '..', '..', '..');
/** The most bytes of README.md, a first screen, and of CONTRIBUTING.md, a page. Longer texts are guides. */
const mostBytes: [file: string, bytes: number][] = [
  ['README.md', 6000],
  ['CONTRIBUTING.md', 4000],
];
const papers = suite('README and the guide to the settings');
const read = (file: string) => readFileSync(join(root, file), 'utf8');

papers('the guide to the settings has every variable of the Node host, and its default', () => {
  const defaults = Object.entries(Environment.entries).map(([name, variable]) => [
    name,
    v.getDefault(variable),
  ]);
  const [, section = ''] = read('content/guides/settings.md').split('\n## Configuration\n');
  const row = /^\| `(\w+)` \| (?:`(.+)`)? \| ([^|]+) \| ([^|]+\.) \|$/;
  const rows = section
    .split('\n## ')[0]!
    .split('\n')
    .filter((line) => line.startsWith('| `'));
  const told = rows.map((line) => {
    assert.match(line, row);
    const [, name, fallback = ''] = row.exec(line)!;
    return [name, fallback];
  });
  assert.equal(told, defaults);
});

const listLinks = (file: string) => [...read(file).matchAll(/\]\(([^)#]+)\)/g)].map(([, link]) => link!);

for (const [file, most] of mostBytes) {
  papers(`${file} is short`, () => {
    const size = Buffer.byteLength(read(file));
    assert.ok(size <= most, `${file} has ${size} bytes, and may have ${most}`);
  });

  papers(`the links of ${file} name files that exist`, () => {
    for (const link of listLinks(file)) assert.ok(existsSync(join(root, link)), `${file} links ${link}`);
  });
}

papers('README.md links each guide', () => {
  const links = listLinks('README.md');
  for (const name of readdirSync(join(root, 'content/guides')))
    assert.ok(links.includes(`content/guides/${name}`), `README.md links ${name}`);
});

papers('the picture of the desk is small', () => {
  const { size } = statSync(join(root, 'content/pictures/desk.webp'));
  assert.ok(size <= 150_000, `it has ${size} bytes`);
});

/** The files that git tracks. Outside a checkout, all files that are not build output. */
function listTracked(): string[] {
  const { status, stdout } = spawnSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' });
  if (status === 0) return stdout.split('\0').filter((name) => name !== '' && existsSync(join(root, name)));
  const made = /^(\.git|node_modules|dist|\.\w+)(\/|$)/;
  const all = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((name) => !made.test(name));
  return all.filter((name) => statSync(join(root, name)).isFile());
}

papers('no file names the machine that it was made on', () => {
  const folders = ['work', 'home', 'Users', 'root', 'tmp', 'private', 'mnt'].map((name) => `/${name}/`);
  const hosts = ['npmjs.org', 'npmjs.com', 'yarnpkg.com', 'npmmirror.com'].map((host) => `registry.${host}`);
  const forbidden = [...folders, ...hosts, ['shared', ''].join('/')];
  for (const name of listTracked()) {
    const text = read(name);
    for (const word of forbidden) {
      const at = text.indexOf(word);
      assert.ok(at < 0, `${name} has ${word}: ${text.slice(Math.max(0, at - 40), at + 60)}`);
    }
    assert.not.match(text, /"resolved":\s"https?:/, `${name} names a registry`);
  }
});

papers.run();
