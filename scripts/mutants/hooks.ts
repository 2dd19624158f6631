/**
 * Loaded before all else in a process of tests. Changes what a file has when it is loaded, never on the disk. Hosts that
 * tests start run from `src` too, with the documents of the last build.
 */
import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Mutant } from './list.ts';

const root = join(import.meta.dirname, '..', '..');
const toUrl = (path: string) => pathToFileURL(join(root, path)).href;
const mutant: Mutant | undefined = process.env.MUTANT && JSON.parse(process.env.MUTANT);

const edits: Record<string, (source: string) => string> = {
  [toUrl('tests/support/server.ts')]: (source) =>
    source
      .replace("'dist/host/main.mjs'", `'--import', '${import.meta.url}', 'src/hosts/node/main.ts'`)
      .replace('PATH: process.env.PATH,', '...process.env,'),
  [toUrl('src/hosts/node/run.ts')]: (source) =>
    source.replaceAll('import.meta.dirname', JSON.stringify(join(root, 'dist', 'host'))),
};
if (mutant) {
  const { file, start, end, text } = mutant;
  edits[toUrl(file)] = (source) => source.slice(0, start) + text + source.slice(end);
}

registerHooks({
  load(url, context, nextLoad) {
    const edit = edits[url];
    if (!edit) return nextLoad(url, context);
    const source = edit(readFileSync(fileURLToPath(url), 'utf8'));
    return { format: 'module-typescript', source, shortCircuit: true };
  },
});
