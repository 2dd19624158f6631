/** Plans a release and refuses a wrong one, before anything is changed. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { Mistake, WrongCall } from '../command.ts';

/** A release that can be made. */
export interface ReleasePlan {
  /** Such as 0.2.0. */
  version: string;
  /** The name in git: the version after a v. */
  tag: string;
  /** YYYY-MM-DD, the `x-release` of the contract. */
  day: string;
  /** The heading in CHANGELOG.md that the release replaces, and the new one. */
  heading: { before: string; after: string };
}

/** Runs git in this folder, and returns what it prints. Throws a Mistake with its words if it fails. */
export function git(...args: string[]): string {
  const { status, stdout, stderr, error } = spawnSync('git', args, { encoding: 'utf8' });
  if (error) throw new Mistake(`git does not run: ${error.message}`);
  if (status !== 0) throw new Mistake(`git ${args[0]} failed: ${stderr.trim() || stdout.trim()}`);
  return stdout.trimEnd();
}

/** Reads three numbers, such as 0.2.0. Throws a WrongCall for anything else. */
function parseVersion(text: string | undefined): number[] {
  if (text === undefined) throw new WrongCall('Say which version, such as 0.2.0.');
  const [, ...numbers] = /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)$/.exec(text) ?? [];
  if (numbers.length === 3) return numbers.map(Number);
  throw new WrongCall(`${text} is no version. Write three numbers, such as 0.2.0.`);
}

function isHigher(version: number[], than: number[]): boolean {
  const at = version.findIndex((number, index) => number !== than[index]);
  return at >= 0 && version[at]! > than[at]!;
}

/** Throws a Mistake if a change is not committed, or if git does not know a file. */
function refuseChanges(): void {
  const changes = git('status', '--porcelain');
  if (changes) throw new Mistake(`Commit or remove these first:\n${changes}`);
}

function refuseTag(tag: string): void {
  if (git('tag', '--list', tag)) throw new Mistake(`The tag ${tag} exists. Choose a higher version.`);
}

/** Returns the heading of the changes to release, and its new text. The heading of a release names its tag. */
function readHeading(changelog: string, day: string, tag: string): ReleasePlan['heading'] {
  const [, ...sections] = changelog.split(/^(?=## )/m);
  const [entry = '', previous = ''] = sections;
  const [before = '', ...lines] = entry.split('\n');
  if (!/^## (Unreleased|\d{4}-\d{2}-\d{2})$/.test(before))
    throw new Mistake(
      `CHANGELOG.md begins with ${before || 'no heading'}. Write what callers notice above it, below "## Unreleased".`,
    );
  if (!lines.some((line) => line.startsWith('- ')))
    throw new Mistake(`CHANGELOG.md has no line below ${before}. Write what callers notice.`);
  const [last = ''] = /\d{4}-\d{2}-\d{2}/.exec(previous.split('\n')[0]!) ?? [];
  // Callers know a release by its day.
  if (last >= day)
    throw new Mistake(
      `${last} has a release already, and x-release names one a day. Release this on a later day.`,
    );
  return { before, after: `## ${day} (${tag})` };
}

/**
 * Plans a release of what is checked out. Throws a WrongCall if `version` is not three numbers. Throws a Mistake if it is
 * not higher than the last, its tag exists, changes are not committed, or CHANGELOG.md has nothing new.
 */
export function planRelease(version: string | undefined): ReleasePlan {
  const numbers = parseVersion(version);
  const { version: last } = JSON.parse(readFileSync('package.json', 'utf8'));
  if (!isHigher(numbers, parseVersion(last)))
    throw new Mistake(`${version} is not higher than ${last}, the version of package.json.`);
  const tag = `v${version}`;
  refuseTag(tag);
  refuseChanges();
  const day = new Date().toISOString().slice(0, 10);
  return {
    version: version!,
    tag,
    day,
    heading: readHeading(readFileSync('CHANGELOG.md', 'utf8'), day, tag),
  };
}
