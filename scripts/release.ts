/** Makes a release: `npm run release -- VERSION`. It publishes nothing. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readCommand, WrongCall } from './command.ts';
import { writeEdits } from './release/edits.ts';
import { writeReleaseFiles } from './release/files.ts';
import { git, planRelease, type ReleasePlan } from './release/plan.ts';
import { step } from './step.ts';

const usage = `npm run release -- VERSION [--dry-run]

Makes a release of what is checked out: writes VERSION and the day into the files that name them, commits, builds,
writes the package, the static files, the list of packages and their SHA-256 sums into .release/VERSION, and tags
the commit. Publishes nothing. If a step fails, the commit is undone.

VERSION    three numbers, higher than the last: 0.2.0
--dry-run  checks everything, says what would be done, and changes nothing`;

process.chdir(join(import.meta.dirname, '..'));
const { values, positionals } = readCommand(usage, {
  allowPositionals: true,
  options: { 'dry-run': { type: 'boolean', default: false } },
});

/**
 * Commits, builds and tags a release. Returns the names of its files. If a step fails, it goes back to the commit before,
 * which loses nothing: a plan is only made if all changes are committed.
 */
async function release(plan: ReleasePlan): Promise<string[]> {
  const { version, tag, day } = plan;
  const { name } = JSON.parse(readFileSync('package.json', 'utf8'));
  const before = git('rev-parse', 'HEAD');
  try {
    const files = writeEdits(plan);
    git(
      'commit',
      '--quiet',
      '--message',
      `release: ${version}`,
      '--message',
      `Released on ${day}.`,
      ...files,
    );
    const names = await step('files of the release', () =>
      writeReleaseFiles(join('.release', version), name, version),
    );
    git('tag', '--annotate', tag, '--message', `${name} ${version}, ${day}`);
    return names;
  } catch (error) {
    git('reset', '--quiet', '--hard', before);
    throw error;
  }
}

const [version, ...more] = positionals;
if (more.length > 0) throw new WrongCall('Name one version.');
const plan = planRelease(version);
const { tag, day, heading } = plan;
console.log(`${tag} of ${day}. In CHANGELOG.md, "${heading.before}" becomes "${heading.after}".`);
if (values['dry-run']) {
  console.log(
    `This was a dry run: nothing is changed. It would commit, write .release/${version} and tag ${tag}.`,
  );
} else {
  const names = await release(plan);
  console.log(`The commit has the tag ${tag}. Nothing is published. .release/${version} has:`);
  for (const name of names) console.log(`  ${name}`);
}
