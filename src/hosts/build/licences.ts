import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { Metafile } from 'esbuild';

/**
 * Our copies of licence texts. If there is a `SCOPE+NAME.txt`, it is used instead of the text of that package: a few packages
 * have none, and Vite's also has the licences of its dependencies, which no page contains. `apache-2.0.txt` is the text that
 * packages name only by its address.
 */
const texts = join(import.meta.dirname, '../../../content/licences');
const packages = join(import.meta.dirname, '../../../node_modules');
const licenceFile = /^(licen[cs]e|copying|notice)(\.(md|txt))?$/i;
const packageFolder = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/;
/** Modules without a file that a package adds to the pages, and that package. */
const generated: Record<string, string> = { '\0vite/preload-helper.js': 'vite' };
const comment = /\/\*[\s\S]*?\*\//g;

/** Lists the files whose code is in the output of esbuild. */
export function listBundledModules({ outputs }: Metafile): string[] {
  const inputs = Object.values(outputs).flatMap((output) => Object.entries(output.inputs));
  return inputs.flatMap(([name, { bytesInOutput }]) => (bytesInOutput > 0 ? [resolve(name)] : []));
}

interface Chunk {
  modules?: Record<string, { renderedLength: number }>;
}

/** A Vite plugin that writes the ids of the modules in the client's scripts and workers to `file`, as JSON. */
export function listModules(file: string) {
  const ids = new Set<string>();
  return {
    name: 'list-modules',
    applyToEnvironment: ({ name }: { name: string }) => name === 'client',
    generateBundle(_: unknown, bundle: Record<string, Chunk>): void {
      const modules = Object.values(bundle).flatMap(({ modules = {} }) => Object.entries(modules));
      for (const [id, { renderedLength }] of modules) if (renderedLength > 0) ids.add(id);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, JSON.stringify([...ids]));
    },
  };
}

const read = (...parts: string[]) => readFileSync(join(...parts), 'utf8').trim();
const list = (folder: string, isWanted: (name: string) => boolean) =>
  readdirSync(folder)
    .filter(isWanted)
    .map((name) => read(folder, name));

/** Returns name, version and licence of a package, with notices in its modules. Throws if it has no licence text. */
function readPackageLicence(folder: string, modules: readonly string[]): string {
  const { name, version } = JSON.parse(read(folder, 'package.json'));
  const fileName = `${name.replace('/', '+')}.txt`;
  const chosen = list(texts, (file) => file === fileName);
  const licences = chosen.length > 0 ? chosen : list(folder, (file) => licenceFile.test(file));
  if (licences.length === 0) {
    throw new Error(`${name} is bundled, but has no licence text. Put it into content/licences/${fileName}.`);
  }
  const comments = modules.flatMap((module) => read(module).match(comment) ?? []);
  const notices = new Set(comments.filter((text) => /\bcopyright\b/i.test(text)));
  return [`${name} ${version}`, ...licences, ...notices].join('\n\n');
}

/** Returns the path of a module from its id. A generated module gets the path of its package's description. */
function toModulePath(id: string): string {
  const owner = generated[id];
  const path = owner ? join(packages, owner, 'package.json') : id;
  return path.replaceAll('\\', '/').replace(/\?.*$/, '');
}

/** Returns the licences of the packages of modules. Throws if one has no text, or if a module belongs to no package. */
export function collectLicences(modules: Iterable<string>): string {
  const paths = [...new Set(modules)].map(toModulePath);
  const nameless = paths.find((path) => path.startsWith('\0'));
  if (nameless) throw new Error(`${nameless.slice(1)} is bundled, and no package says under which licence.`);
  const ofPackages = Map.groupBy(paths, (path) => packageFolder.exec(path)?.[0] ?? '');
  ofPackages.delete('');
  const entries = [...ofPackages].map(([folder, members]) => readPackageLicence(folder, members)).sort();
  const isApache = (text: string) => text.includes('apache.org/licenses/LICENSE-2.0');
  const apache = entries.some(isApache) ? [read(texts, 'apache-2.0.txt')] : [];
  return `${[...entries, ...apache].join(`\n\n${'-'.repeat(80)}\n\n`)}\n`;
}

/** Writes our licence and notice, with a suffix for hosts that need one, and those of the packages of modules. */
export function writeLicences(folder: string, modules: Iterable<string>, suffix = ''): void {
  for (const name of ['LICENSE', 'NOTICE']) copyFileSync(name, join(folder, name + suffix));
  writeFileSync(join(folder, 'THIRD-PARTY-LICENSES.txt'), collectLicences(modules));
}
