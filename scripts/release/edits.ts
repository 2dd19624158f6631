/** The files that name a release. */
import { readFileSync, writeFileSync } from 'node:fs';
import type { ReleasePlan } from './plan.ts';

/** A part of a file that names the release. */
interface Edit {
  file: string;
  /** Its first group stays. The rest of the match becomes `value`. */
  pattern: RegExp;
  value: string;
}

/** Matches the first member of this name in a JSON file, which is that of the project. */
const member = (name: string) => new RegExp(`("${name}": ")[^"]*`);

/**
 * Lists the edits of a release. `content/service.json` keeps its version: it is that of the contract, whose `x-release`
 * is the day.
 */
function listEdits({ version, day, heading }: ReleasePlan): Edit[] {
  return [
    { file: 'package.json', pattern: member('version'), value: version },
    { file: 'package-lock.json', pattern: member('version'), value: version },
    { file: 'package-lock.json', pattern: /("": \{\s+"name": "[^"]*",\s+"version": ")[^"]*/, value: version },
    // Each package that it lists is of this version too.
    { file: 'server.json', pattern: /("version": ")[^"]*/g, value: version },
    { file: 'content/service.json', pattern: member('release'), value: day },
    { file: 'CHANGELOG.md', pattern: new RegExp(`^()${heading.before}$`, 'm'), value: heading.after },
    {
      file: 'scripts/deploy/Dockerfile',
      pattern: /(org\.opencontainers\.image\.version=")[^"]*/,
      value: version,
    },
  ];
}

/** Writes the version and the day of a release into the files that name them. Returns the names of the files. */
export function writeEdits(plan: ReleasePlan): string[] {
  const edits = listEdits(plan);
  for (const { file, pattern, value } of edits) {
    const text = readFileSync(file, 'utf8');
    if (!pattern.test(text)) throw new Error(`${file} has nothing that matches ${pattern}.`);
    writeFileSync(
      file,
      text.replace(pattern, (_, kept: string) => kept + value),
    );
  }
  return [...new Set(edits.map(({ file }) => file))];
}
