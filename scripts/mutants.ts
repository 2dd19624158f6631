/** Changes one thing at a time in files of src, and prints which changes no test of rules notices. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { basename, join } from 'node:path';
import { Mistake, readCommand, readFileName } from './command.ts';
import { toCount } from './count.ts';
import { listMutants, type Mutant } from './mutants/list.ts';
import { findFailure } from './mutants/run.ts';
import { installReferees } from './referees/install.ts';
import { createRandom } from './titles/train-network.ts';

const usage = `npm run mutants -- [--sample N] [--seed S] [--seconds N] PATH

Changes one thing at a time in a file of src, or in the files of a folder, and runs the tests in tests/rules of its
folder. Prints each change that no test notices, and how many were noticed. Nothing is written to the files.
--sample N   how many changes to make, drawn by the seed (20)
--seed S     draws others (1)
--seconds N  how long one test file may take (120)
It needs a build (npm run build -- --files), for the documents that hosts of tests serve.`;

/** Which tests of rules say what a folder of src does, if they are not in a folder of the same name. */
const folders: Record<string, readonly string[]> = {
  candidates: ['records', 'matches'],
  'job-orders': ['records', 'matches', 'shortlists'],
  placements: ['records', 'outcomes', 'shortlists', 'matches'],
  imports: ['imports', 'exports'],
  records: ['records', 'workspace', 'matches', 'pricing', 'exports', 'ladder', 'briefs'],
  workspace: ['workspace', 'records'],
};

const root = join(import.meta.dirname, '..');
process.chdir(root);
const text = { type: 'string' } as const;
const { values, positionals } = readCommand(usage, {
  allowPositionals: true,
  options: { sample: text, seed: text, seconds: text },
});
const path = readFileName(positionals);
const [sample, seed, seconds] = [
  toCount('sample', values.sample, 20),
  toCount('seed', values.seed, 1),
  toCount('seconds', values.seconds, 120),
];

function listFiles(): string[] {
  const isFolder = statSync(path).isDirectory();
  const files = isFolder
    ? readdirSync(path, { recursive: true, encoding: 'utf8' }).map((name) => join(path, name))
    : [path];
  const sources = files.filter((file) => file.startsWith('src/') && file.endsWith('.ts'));
  if (sources.length === 0) throw new Mistake(`${path} is no file or folder of src.`);
  return sources.sort();
}

/** Lists the tests of rules for a folder of src, those that start no host first. */
function listTests(folder: string): string[] {
  const needsHost = (name: string) =>
    Number(/support\/(front|server)\.ts/.test(readFileSync(join('tests', name), 'utf8')));
  const names = (folders[folder] ?? [folder]).flatMap((rules) =>
    readdirSync(join('tests/rules', rules), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.test.ts') && !name.endsWith('.slow.test.ts'))
      .map((name) => join('rules', rules, name)),
  );
  return names.sort((a, b) => needsHost(a) - needsHost(b));
}

/** Draws some mutants, in random order. */
function draw(mutants: Mutant[]): Mutant[] {
  const random = createRandom(seed);
  const keyed = mutants.map((mutant) => ({ mutant, key: random() }));
  return keyed
    .sort((a, b) => a.key - b.key)
    .slice(0, sample)
    .map(({ mutant }) => mutant);
}

const sound = new Map<string, Promise<boolean>>();

/** Whether a test passes without a mutant. One that fails then would notice everything. */
const isSound = (name: string): Promise<boolean> =>
  sound.getOrInsertComputed(name, async () => {
    const passes = (await findFailure([name], undefined, seconds)) === undefined;
    if (!passes) console.log(`left out, because it fails without a change: ${name}`);
    return passes;
  });

/** Returns the first test that notices a mutant, in a process of its own too. */
async function findNoticing(mutant: Mutant, names: readonly string[]): Promise<string | undefined> {
  const failure = await findFailure(names, mutant, seconds);
  if (failure === undefined) return undefined;
  const failsAlone = (await findFailure([failure], mutant, seconds)) !== undefined;
  if (failsAlone && (await isSound(failure))) return failure;
  return findNoticing(mutant, names.slice(names.indexOf(failure) + 1));
}

const shorten = (code: string) => code.replaceAll(/\s+/g, ' ').slice(0, 60);
const files = listFiles();
installReferees();
const folder = files[0]!.split('/')[1]!;
const tests = listTests(folder);
const all = files.flatMap(listMutants);
const queue = draw(all);
const count = queue.length;
let noticed = 0;

/** Runs the tests that are named as the file first. */
async function tryMutant(mutant: Mutant): Promise<void> {
  const name = basename(mutant.file, '.ts').split('-')[0]!;
  const order = tests.toSorted((a, b) => Number(b.includes(name)) - Number(a.includes(name)));
  const failure = await findNoticing(mutant, order);
  if (failure !== undefined) noticed += 1;
  const place = `${mutant.file}:${mutant.line}`;
  const change = `${shorten(mutant.from)}  ->  ${shorten(mutant.text)}`;
  console.log(failure === undefined ? `SURVIVES ${place}  ${change}` : `noticed  ${place}  by ${failure}`);
}

await Promise.all(
  Array.from({ length: availableParallelism() }, async () => {
    for (let mutant = queue.shift(); mutant; mutant = queue.shift()) await tryMutant(mutant);
  }),
);
console.log(`${path}: ${noticed} of ${count} noticed (seed ${seed}, of ${all.length})`);
process.exit();
