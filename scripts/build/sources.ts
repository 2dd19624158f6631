/** A build knows which sources it was made from, so that a start notices that they have changed. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** What was built, and how. */
interface BuildFacts {
  /** The hash of the sources. */
  sources: string;
  /** The options of the build, such as `--files`. */
  options: string[];
}

/** Folders that are sources with all that is in them, and single files. */
const sourceFolders = ['src', 'content'];
const sourceFiles = ['package.json', 'package-lock.json', 'astro.config.mjs', 'tsconfig.json'];

function listFiles(folder: string, recursive: boolean): string[] {
  const entries = readdirSync(folder, { recursive, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

/** Hashes everything that a build is made from. Scripts count, but not those in folders, which no build reads. */
export function hashSources(root: string): string {
  const files = [
    ...sourceFolders.flatMap((folder) => listFiles(join(root, folder), true)),
    ...listFiles(join(root, 'scripts'), false),
    ...listFiles(join(root, 'scripts', 'build'), true),
    ...sourceFiles
      .map((file) => join(root, file))
      .filter((file) => statSync(file, { throwIfNoEntry: false })),
  ];
  const hash = createHash('sha256');
  for (const file of files.sort()) {
    const bytes = readFileSync(file);
    hash.update(`${file.slice(root.length)}\0${bytes.length}\0`).update(bytes);
  }
  return hash.digest('hex');
}

const factsFile = (dist: string) => join(dist, 'built.json');

/** Writes what was built into the folder of the build. It is the last file of a build. */
export function writeBuildFacts(dist: string, facts: BuildFacts): void {
  writeFileSync(factsFile(dist), JSON.stringify(facts));
}

/** Reads what was built. Undefined if there is no build, or an incomplete one. */
export function readBuildFacts(dist: string): BuildFacts | undefined {
  try {
    return JSON.parse(readFileSync(factsFile(dist), 'utf8'));
  } catch {
    return undefined;
  }
}
