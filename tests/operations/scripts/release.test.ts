import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { copyForRelease } from '../../support/release-copy.ts';

const release = suite('npm run release, before anything is changed');
const isWanted = (name: string) =>
  /^(package(-lock)?\.json|server\.json|CHANGELOG\.md|\.gitignore|content\/service\.json|scripts\/.*|src\/hosts\/node\/(command-line|hide-login)\.ts)$/.test(
    name,
  );
const copy = copyForRelease(isWanted);
const unreleased = '## Unreleased\n\n- A reply has a colour.\n\n';
copy.writeChanges(unreleased);

const state = () =>
  [copy.git('rev-parse', 'HEAD'), copy.git('status', '--porcelain'), copy.git('tag')].join('\n');

release('a dry run says what would be done', () => {
  const { code, output } = copy.release('0.2.0', '--dry-run');
  assert.is(code, 0, output);
  assert.match(output, /v0\.2\.0 of \d{4}-\d\d-\d\d/);
});

release('a dry run changes nothing', () => {
  const before = state();
  copy.release('0.2.0', '--dry-run');
  assert.is(state(), before);
});

/** Versions that are refused, and what the refusal says. */
const wrong: [version: string, says: string][] = [
  ['0.1.0', '0.1.0 is not higher than 0.1.0'],
  ['0.0.9', '0.0.9 is not higher than 0.1.0'],
  ['v0.2.0', 'v0.2.0 is no version. Write three numbers, such as 0.2.0.'],
  ['0.2', '0.2 is no version'],
  ['0.2.0-beta', '0.2.0-beta is no version'],
  ['0.02.0', '0.02.0 is no version'],
];

for (const [version, says] of wrong)
  release(`refuses the version ${version}`, () => {
    const { code, output } = copy.release(version);
    assert.ok(code! > 0);
    assert.match(output, says);
  });

/** Refuses 0.2.0 with these words, without a stack trace, and changes nothing. */
function assertRefused(says: string): void {
  const before = state();
  const { code, output } = copy.release('0.2.0');
  assert.is(code, 1);
  assert.match(output, says);
  assert.not.match(output, /^\s+at /m);
  assert.is(state(), before);
}

release('refuses a changed file, and names it', () => {
  copy.write('.gitignore', `${copy.read('.gitignore')}more\n`);
  assertRefused('Commit or remove these first:\n M .gitignore');
  copy.git('checkout', '--quiet', '.gitignore');
});

release('refuses a file that git does not know', () => {
  copy.write('notes.txt', 'later');
  assertRefused('?? notes.txt');
  copy.git('clean', '--quiet', '--force', 'notes.txt');
});

release('refuses a tag that exists', () => {
  copy.git('tag', 'v0.2.0');
  assertRefused('The tag v0.2.0 exists. Choose a higher version.');
  copy.git('tag', '--delete', 'v0.2.0');
});

release('refuses a changelog that begins with a release', () => {
  copy.writeChanges('## 2026-01-02 (v0.1.0)\n\n- A reply has a size.\n\n');
  assertRefused('CHANGELOG.md begins with ## 2026-01-02 (v0.1.0).');
  copy.writeChanges(unreleased);
});

release('refuses a section of the changelog without a line', () => {
  copy.writeChanges('## Unreleased\n\n');
  assertRefused('CHANGELOG.md has no line below ## Unreleased');
  copy.writeChanges(unreleased);
});

release('refuses a second release of a day, because x-release names one', () => {
  const text = copy.read('CHANGELOG.md');
  copy.writeChanges(`${unreleased}## 9999-12-31 (v0.1.1)\n\n- A reply has a size.\n\n`);
  assertRefused('9999-12-31 has a release already');
  copy.write('CHANGELOG.md', text);
  copy.git('commit', '--quiet', '--all', '--message', 'changelog: go back');
});

release('accepts a section under the day on which it was written', () => {
  copy.writeChanges('## 2026-11-25\n\n- A reply has a colour.\n\n## 2026-01-02 (v0.1.0)\n\n- A size.\n\n');
  const { code, output } = copy.release('0.2.0', '--dry-run');
  assert.is(code, 0, output);
  assert.match(output, '"## 2026-11-25" becomes');
});

release.run();
