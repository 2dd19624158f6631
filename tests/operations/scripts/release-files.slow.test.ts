import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { copyForRelease } from '../../support/release-copy.ts';
import { makeFolder } from '../../support/server.ts';

const release = suite('npm run release');
const root = join(import.meta.dirname, '..', '..', '..');
const copy = copyForRelease();
linkPackages();

/** Gives the copy the packages of this checkout, without what tools cache among them. */
function linkPackages(): void {
  const [from, to] = [join(root, 'node_modules'), join(copy.folder, 'node_modules')];
  mkdirSync(to);
  const isCache = (name: string) => /^\.(?!bin$|package-lock\.json$)/.test(name);
  for (const name of readdirSync(from).filter((one) => !isCache(one))) {
    const [source, target] = [join(from, name), join(to, name)];
    // npm lists no packages behind a link to a folder. Links to files are made in a tenth of the time of copies.
    if (spawnSync('cp', ['-al', source, target]).status !== 0)
      cpSync(source, target, { recursive: true, verbatimSymlinks: true });
  }
}

/** Replaces a text of a file in the copy. */
function replaceIn(file: string, before: string, after: string): void {
  assert.match(copy.read(file), before);
  copy.write(file, copy.read(file).replace(before, after));
}

// Dense compression takes a third of a build, and the pages of all occupations a quarter of the rest.
const call = "run(process.execPath, ['scripts/build.ts', kind])";
const quick = "run(process.execPath, ['scripts/build.ts', kind, '--quick'])";
// Both kinds of build differ in a few words of the documents, so the second is only marked.
const mark = "(writeFileSync('dist/host/kind', kind), '')";
replaceIn('scripts/release/files.ts', call, `kind === '--static' ? ${quick} : ${mark}`);
const all = 'catalogue.occupations.map(';
const few = 'catalogue.occupations.slice(0, 20).map(';
replaceIn('src/pages/occupations/[code].astro', `return service.${all}`, `return service.${few}`);
replaceIn(
  'src/occupations/operations.ts',
  `OccupationService) =>\n        ${all}`,
  `OccupationService) =>\n        ${few}`,
);
copy.writeChanges('## Unreleased\n\n- A reply has a colour.\n\n');
const parent = copy.git('rev-parse', 'HEAD');

release('fails without a trace if the build fails', () => {
  const pricing = copy.read('content/pricing.json');
  copy.write('content/pricing.json', '{ "model": ');
  copy.git('commit', '--quiet', '--all', '--message', 'build: break');
  const before = copy.git('rev-parse', 'HEAD');
  const { code, output } = copy.release('0.2.0');
  assert.is(code, 1);
  assert.match(output, 'content/pricing.json is not JSON');
  assert.is(copy.git('rev-parse', 'HEAD'), before);
  assert.is(copy.git('tag'), '');
  assert.is(copy.git('status', '--porcelain'), '');
  copy.write('content/pricing.json', pricing);
  copy.git('reset', '--quiet', '--hard', parent);
});

release('makes a commit with a tag', () => {
  const { code, output } = copy.release('0.2.0');
  assert.is(code, 0, output);
  assert.is(copy.git('describe', '--exact-match'), 'v0.2.0');
  assert.is(copy.git('rev-parse', 'HEAD~1'), parent);
});

release('leaves nothing that git sees', () => {
  assert.is(copy.git('status', '--porcelain'), '');
});

release('writes the version into each file that names it', () => {
  assert.is(JSON.parse(copy.read('package.json')).version, '0.2.0');
  const { version, packages } = JSON.parse(copy.read('package-lock.json'));
  assert.is(version, '0.2.0');
  assert.is(packages[''].version, '0.2.0');
  const server = JSON.parse(copy.read('server.json'));
  for (const one of [server, ...(server.packages ?? [])]) assert.is(one.version, '0.2.0');
  assert.match(copy.read('scripts/deploy/Dockerfile'), 'image.version="0.2.0"');
});

/** The first heading of the changelog: its day and its tag. */
const readHeading = () => /^## (\S+) \((\S+)\)$/m.exec(copy.read('CHANGELOG.md'))!;

release('the changelog begins with the day and the tag', () => {
  assert.is(readHeading()[2], 'v0.2.0');
});

release('the contract names the day as x-release, and keeps its version', () => {
  const { info } = JSON.parse(copy.read('dist/client/openapi.json'));
  assert.is(info['x-release'], readHeading()[1]);
  assert.is(info.version, '0.1.0');
});

release('the build names the commit of the release', () => {
  const { commit } = JSON.parse(copy.read('dist/host/catalogue.json'));
  assert.is(commit, copy.git('rev-parse', '--short=12', 'HEAD'));
});

const folder = join(copy.folder, '.release', '0.2.0');

release('has the package, the static files, the packages that it was built from, and the sums', () => {
  assert.equal(readdirSync(folder).sort(), [
    'SHA256SUMS',
    'careers-placement-service-0.2.0-static.tgz',
    'careers-placement-service-0.2.0.tgz',
    'sbom.cdx.json',
  ]);
});

release('sha256sum accepts the sums', () => {
  const { status, stdout } = spawnSync('sha256sum', ['--check', 'SHA256SUMS'], {
    cwd: folder,
    encoding: 'utf8',
  });
  assert.is(status, 0, stdout);
  assert.is(stdout.match(/: OK$/gm)?.length, 3);
});

release('the list of packages is that of the release, as CycloneDX', () => {
  const { bomFormat, metadata, components } = JSON.parse(readFileSync(join(folder, 'sbom.cdx.json'), 'utf8'));
  assert.is(bomFormat, 'CycloneDX');
  assert.is(metadata.component.purl, 'pkg:npm/careers-placement-service@0.2.0');
  assert.is(metadata.component.name, 'careers-placement-service');
  assert.ok(components.some(({ name }: { name: string }) => name === 'valibot'));
});

release('the static files say that there is no live service', () => {
  const target = makeFolder();
  const files = join(folder, 'careers-placement-service-0.2.0-static.tgz');
  assert.is(spawnSync('tar', ['-xzf', files, '-C', target]).status, 0);
  assert.is(JSON.parse(readFileSync(join(target, 'client/index.json'), 'utf8')).live, false);
});

const unpacked = makeFolder();
const archive = join(folder, 'careers-placement-service-0.2.0.tgz');
const readPacked = (file: string) => readFileSync(join(unpacked, 'package', file), 'utf8');

release('the package has the version of the release', () => {
  assert.is(spawnSync('tar', ['-xzf', archive, '-C', unpacked]).status, 0);
  assert.is(JSON.parse(readPacked('package.json')).version, '0.2.0');
});

release('the package has the build of a host, which follows that for static hosts', () => {
  assert.is(readPacked('dist/host/kind'), '--files');
});

release.run();
