import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { build } from 'esbuild';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

const root = join(import.meta.dirname, '..');
const house = suite('house rules');

/** The kinds of record. They see each other, because the status of one follows from records of another. */
const kindRooms = ['candidates', 'job-orders', 'placements'];

/** Floors from the ground up. Rooms of one floor do not see each other, except those of the kinds. */
const floors: readonly string[][] = [
  ['kernel'],
  ['occupations', 'pricing', 'workspace'],
  ['records'],
  kindRooms,
  ['kinds.ts'],
  ['exports', 'imports', 'ladder', 'matches'],
  ['briefs', 'documents', 'mcp', 'shortlists', 'stores'],
  ['live.ts', 'service.ts'],
  ['table.ts'],
  ['hosts'],
  ['pages'],
];
const maxLines = 300;

const read = (file: string) => readFileSync(join(root, file), 'utf8');

/** Lists source files below a folder of the project, as paths from its root. */
function listSources(folder: string, endings = /\.(ts|mts|js|mjs|astro)$/): string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && endings.test(entry.name))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
    .filter((file) => !file.includes('/node_modules/'))
    .sort();
}

const source = listSources('src');
const all = [...source, ...listSources('scripts'), ...listSources('tests'), 'astro.config.mjs'];

/** Lists what a file imports or re-exports, types and dynamic imports included. */
function toImports(file: string): string[] {
  const text = read(file).replace(/^\s*(\/\/|\*|\/\*).*$/gm, '');
  const shapes = [
    /^\s*(?:import|export)\b[^'"`;()=]*?\bfrom\s*['"]([^'"]+)['"]/gm,
    /^\s*import\s*['"]([^'"]+)['"]/gm,
    /\bimport\(\s*['"]([^'"]+)['"]\s*\)/g,
  ];
  return shapes.flatMap((shape) => [...text.matchAll(shape)].map(([, name]) => name!));
}

const isRelative = (name: string) => name.startsWith('.');
const roomOf = (file: string) => file.split('/')[1]!;
const floorOf = (room: string) => floors.findIndex((rooms) => rooms.includes(room));

/** The only file of the Node host that imports the table. It passes the table to all others. */
const hostEntry = 'src/hosts/node/run.ts';

house('only the entry of the Node host imports the table', () => {
  const importsTable = (file: string) => toImports(file).some((name) => name.endsWith('/table.ts'));
  const files = source.filter((file) => file.startsWith('src/hosts/node/'));
  assert.equal(files.filter(importsTable), [hostEntry]);
});

house('has a floor for every folder of src', () => {
  for (const { name } of readdirSync(join(root, 'src'), { withFileTypes: true })) {
    assert.ok(floorOf(name) >= 0 || /\.d\.ts$/.test(name), `src/${name} is on no floor`);
  }
});

house('imports point down a floor, or stay in their folder', () => {
  let seen = 0;
  for (const file of source) {
    for (const name of toImports(file).filter(isRelative)) {
      const target = relative(root, resolve(root, dirname(file), name)).replaceAll('\\', '/');
      if (!target.startsWith('src/')) {
        assert.match(target, /^content\//, `${file} imports ${target} from outside src`);
        continue;
      }
      seen++;
      const [from, to] = [roomOf(file), roomOf(target)];
      const areKinds = [from, to].every((room) => kindRooms.includes(room));
      const points = from === to || areKinds || floorOf(to) < floorOf(from);
      assert.ok(points, `${file} imports ${target}: ${from} may not see ${to}`);
    }
  }
  assert.ok(seen > 100, 'imports were found at all');
});

/** Finds the groups of files that import each other in a circle (Tarjan). */
function toCircles(graph: ReadonlyMap<string, readonly string[]>): string[][] {
  const circles: string[][] = [];
  const order = new Map<string, number>();
  const stack: string[] = [];
  function visit(file: string): number {
    const place = order.size;
    order.set(file, place);
    stack.push(file);
    let lowest = place;
    for (const next of graph.get(file) ?? []) {
      if (!order.has(next)) lowest = Math.min(lowest, visit(next));
      else if (stack.includes(next)) lowest = Math.min(lowest, order.get(next)!);
    }
    if (lowest === place) {
      const group = stack.splice(stack.indexOf(file));
      if (group.length > 1) circles.push(group);
    }
    return lowest;
  }
  for (const file of graph.keys()) if (!order.has(file)) visit(file);
  return circles;
}

house('no imports form a circle, imports of types included', () => {
  const toTargets = (file: string) =>
    toImports(file)
      .filter(isRelative)
      .map((name) => relative(root, resolve(root, dirname(file), name)).replaceAll('\\', '/'));
  assert.equal(
    toCircles(
      new Map([
        ['a', ['b']],
        ['b', ['c']],
        ['c', ['a']],
        ['d', ['a']],
      ]),
    ).length,
    1,
  );
  const circles = toCircles(new Map(source.map((file) => [file, toTargets(file)])));
  assert.equal(circles, [], circles.map((files) => files.join(' -> ')).join('\n'));
});

/** Types that a test generates beside this file before it compiles both. */
const isGenerated = (file: string, name: string) =>
  file === 'tests/protocol/typed-client/client.ts' && name === './contract.ts';

house('the kernel imports nothing but libraries, and knows no staffing', () => {
  const words =
    /candidate|job.?order|placement|occupation|o\*?net\b|staffing|recruit|shortlist|confirmation|grader|nothing_proposed|propos(e|al)|X-Claim|\b(sl|cnf|clm|grd)_/i;
  for (const file of source.filter((name) => roomOf(name) === 'kernel')) {
    for (const name of toImports(file)) {
      assert.ok(/^\.\/[\w-]+\.ts$/.test(name) || !isRelative(name), `${file} imports ${name}`);
    }
    const found = words.exec(read(file));
    assert.is(found, null, `${file} contains ${found?.[0]}`);
  }
});

house('the kinds of record are listed in one place', () => {
  const names = ['candidate', 'job-?order', 'placement'].map((name) => new RegExp(`${name}s?\\b`, 'i'));
  const owners = /^src\/kinds\.ts$|^src\/(candidates|job-orders|placements|pages)\//;
  for (const file of source.filter((name) => !owners.test(name))) {
    const statements = read(file).split(/;\n|\n\n/);
    const list = statements.find((text) => names.every((name) => name.test(text)));
    assert.is(list, undefined, `${file} lists the kinds: ${list?.slice(0, 300)}`);
  }
});

house('relative imports name existing files, with their suffix', () => {
  for (const file of all) {
    for (const name of toImports(file).filter(isRelative)) {
      if (name.includes('/dist/') || isGenerated(file, name)) continue;
      const target = resolve(root, dirname(file), name.replace(/\?.*$/, ''));
      assert.match(name, /\.\w+(\?\w+)?$/, `${file} imports ${name}`);
      assert.ok(existsSync(target), `${file} imports ${name}, which is not there`);
    }
  }
});

house('every export is used by another file', () => {
  const words = all.flatMap((file) => [...new Set(read(file).match(/\w+/g))]);
  const files = new Map<string, number>();
  for (const word of words) files.set(word, (files.get(word) ?? 0) + 1);
  // A client program that a test compiles as a whole.
  for (const file of all.filter((one) => !one.startsWith('tests/protocol/typed-client/'))) {
    const exported = read(file).matchAll(
      /^export (?:async )?(?:function\*?|const|class|interface|type) (\w+)/gm,
    );
    for (const [, name] of exported)
      assert.ok(files.get(name!)! > 1, `no other file uses ${name} of ${file}`);
  }
});

/** Names that two files export on purpose: Astro wants the first two, and a worker has stand-ins for the ladder. */
const sharedNames = ['prerender', 'getStaticPaths', 'submitWork', 'workTerms'];

house('no two files export the same name', () => {
  const declared = /^export (?:async )?(?:function\*?|const|class|interface|type) (\w+)/gm;
  const fileOf = new Map<string, string>();
  for (const file of source) {
    for (const [, name = ''] of read(file).matchAll(declared)) {
      const other = fileOf.get(name) ?? file;
      assert.ok(other === file || sharedNames.includes(name), `${file} and ${other} export ${name}`);
      fileOf.set(name, file);
    }
  }
});

house('the floors below the hosts know no Node, except the drivers', () => {
  for (const file of source) {
    if (floorOf(roomOf(file)) > floorOf('service.ts') || roomOf(file) === 'stores') continue;
    for (const name of toImports(file)) assert.not.match(name, /^node:/, `${file} imports ${name}`);
    assert.not.match(
      read(file),
      /\bprocess\.(env|cwd|exit|argv|on)\b|\bDate\.now\b|new Date\(\)|Math\.random|\bBuffer\b/,
      file,
    );
  }
});

house('the core and the table bundle for a browser', async () => {
  const doors = [
    ['createAnswer', 'kernel/answer.ts'],
    ['createService', 'service.ts'],
    ['operations', 'table.ts'],
  ];
  const { outputFiles, metafile, errors } = await build({
    stdin: {
      contents: doors.map(([name, file]) => `export { ${name} } from './src/${file}';`).join('\n'),
      resolveDir: root,
      loader: 'ts',
    },
    bundle: true,
    write: false,
    metafile: true,
    platform: 'browser',
    format: 'esm',
    logLevel: 'silent',
  });
  assert.equal(errors, []);
  assert.ok(outputFiles[0]!.contents.length > 10_000);
  const outside = Object.values(metafile.inputs).flatMap(({ imports }) =>
    imports.filter((one) => one.external),
  );
  assert.equal(outside, []);
});

house(`no source file is over ${maxLines} lines`, () => {
  for (const file of all) {
    const lines = read(file).trimEnd().split('\n').length;
    assert.ok(lines <= maxLines, `${file} has ${lines} lines`);
  }
});

house('every suite in every test file is run', () => {
  const files = all.filter((file) => /^tests\/.*\.test\.ts$/.test(file));
  assert.ok(files.length > 0);
  for (const file of files) {
    const text = read(file);
    const suites = [...text.matchAll(/\b(\w+)\s*=\s*suite(?:<[^>]*>)?\(/g)].map(([, name]) => name!);
    const made = text.match(/\bsuite(?:<[^>]*>)?\((?=['"`\w])/g)?.length ?? 0;
    if (/import \{[^}]*\btest\b[^}]*\} from 'uvu'/.test(text)) suites.push('test');
    assert.ok(suites.length > 0, `${file} has no suite`);
    assert.ok(made <= suites.length, `${file} makes a suite without a name`);
    for (const name of suites) {
      assert.match(text, new RegExp(`^\\s*${name}\\.run\\(\\);`, 'm'), `${file}: ${name}.run()`);
      assert.not.match(text, new RegExp(`\\b${name}\\.(only|skip)\\(`), `${file} skips tests`);
    }
  }
});

house.run();
