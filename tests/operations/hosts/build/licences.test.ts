import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type BuildOptions, build } from 'esbuild';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { collectLicences } from '../../../../src/hosts/build/licences.ts';
import { makeFolder } from '../../../support/server.ts';

const root = join(import.meta.dirname, '..', '..', '..', '..');
process.chdir(root);
const licences = suite('licences of bundled packages');
const read = (...parts: string[]) => readFileSync(join(root, ...parts), 'utf8');

/** Lists name and version of each package of which esbuild puts code into a bundle. */
async function bundle(entryPoints: string[], options: BuildOptions): Promise<string[]> {
  const { metafile } = await build({
    entryPoints,
    bundle: true,
    write: false,
    metafile: true,
    format: 'esm',
    outdir: 'out',
    logLevel: 'silent',
    ...options,
  });
  const inputs = Object.values(metafile!.outputs).flatMap((output) => Object.entries(output.inputs));
  const folders = inputs.flatMap(([name, { bytesInOutput }]) => {
    const [folder] = /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(name) ?? [];
    return folder && bytesInOutput > 0 ? [folder] : [];
  });
  return [...new Set(folders)].map((folder) => {
    const { name, version } = JSON.parse(read(folder, 'package.json'));
    return `${name} ${version}`;
  });
}

const scripts = ['src/pages/_desk', 'src/pages/_scripts'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => `${folder}/${name}`),
);
const ofPages = await bundle(scripts, {});
/** Scripts that are loaded on demand are loaded by code of Vite. */
const { version: viteVersion } = JSON.parse(read('node_modules/vite/package.json'));
const ofVite = [`vite ${viteVersion}`];
const ofWorker = await bundle(['src/hosts/worker/main.ts'], { define: { workerBuild: '{}' } });
const ofHost = await bundle(['src/hosts/node/main.ts'], { platform: 'node', splitting: true });

/** Returns the text under the heading of each package. */
function readTexts(folder: string): Map<string, string> {
  const [...entries] = read('dist', folder, 'THIRD-PARTY-LICENSES.txt').split(/\n-{80}\n/);
  return new Map(
    entries.map((entry) => {
      const [heading = '', ...lines] = entry.trim().split('\n');
      return [heading, lines.join('\n')];
    }),
  );
}

for (const [folder, packages] of [
  ['client', [...ofPages, ...ofVite, ...ofWorker]],
  ['host', [...ofPages, ...ofVite, ...ofWorker, ...ofHost]],
] as const) {
  licences(`dist/${folder} has the licence of every package in it, and of no other`, () => {
    const texts = readTexts(folder);
    for (const name of packages) {
      const text = texts.get(name) ?? '';
      assert.match(text, /Copyright .*\w|Blue Oak Model License/, name);
      assert.match(
        text,
        /Permission (is hereby granted|to use, copy, modify)|Redistribution and use|Blue Oak Model License|Licensed under the Apache License/,
        name,
      );
      if (/apache\.org\/licenses/.test(text))
        assert.match(texts.get('Apache License') ?? '', /9\. Accepting/);
    }
    const named = [...texts.keys()].filter((heading) => heading !== 'Apache License');
    assert.equal(named, [...new Set(packages)].sort());
  });
}

licences('the host has the notice of the code that the Redis client copied', () => {
  assert.match(read('dist/host/THIRD-PARTY-LICENSES.txt'), /cluster-key-slot[\s\S]*Copyright 2015 Zihua Li/);
});

licences('our own licence and notice are in both folders, and the image has the folder of the host', () => {
  for (const name of ['LICENSE', 'NOTICE']) {
    assert.is(read('dist/host', name), read(name));
    assert.is(read('dist/client', `${name}.txt`), read(name));
  }
  assert.match(read('scripts/deploy/Dockerfile'), /^COPY .* \/app\/dist\/host \/app$/m);
});

/** Writes a package of one module. Returns its folder and the path of its module. */
function makePackage() {
  const folder = join(makeFolder(), 'node_modules', '@some', 'package');
  mkdirSync(folder, { recursive: true });
  const module = join(folder, 'index.js');
  const description = { name: '@some/package', version: '1.0.0', license: 'MIT' };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(description));
  writeFileSync(module, '/* Copyright 2020 Somebody Else */');
  return { folder, module };
}

licences('a package without a licence text stops the build', () => {
  const { module } = makePackage();
  assert.throws(() => collectLicences([module]), /@some\/package is bundled, but has no licence text/);
});

licences('a package has its licence text and the notices in its code', () => {
  const { folder, module } = makePackage();
  writeFileSync(join(folder, 'LICENCE.md'), 'Do as you like.');
  assert.is(
    collectLicences([`${module}?v=1`]),
    '@some/package 1.0.0\n\nDo as you like.\n\n/* Copyright 2020 Somebody Else */\n',
  );
});

licences('code outside any package stops the build', () => {
  assert.throws(() => collectLicences(['\0tool/helper.js']), /tool\/helper\.js is bundled/);
});

const generatedByVite = '\0vite/preload-helper.js';

licences('code that Vite generates has the licence of Vite', () => {
  const text = collectLicences([generatedByVite]);
  assert.match(text, /^vite [\d.]+\n\nMIT License\n\nCopyright .* Vite contributors/);
});

licences('code that Vite generates has no licences of the dependencies of Vite', () => {
  assert.not.match(collectLicences([generatedByVite]), 'Bundled dependencies');
});

licences.run();
