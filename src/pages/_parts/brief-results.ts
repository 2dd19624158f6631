import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { BriefResult, sumUpLevels } from '../../briefs/brief-result.ts';

const folder = join(process.cwd(), 'content', 'brief-results');

function readResult(name: string) {
  const parsed = v.safeParse(BriefResult, JSON.parse(readFileSync(join(folder, name), 'utf8')));
  if (parsed.success) return parsed.output;
  const [issue] = parsed.issues;
  throw new Error(`content/brief-results/${name}: ${v.getDotPath(issue) ?? '(whole)'}: ${issue.message}`);
}

/** The results to show beside each other: scripts first, then agents by name, each with its levels by number. */
export const shownResults = readdirSync(folder)
  .map(readResult)
  .sort((a, b) => b.kind.localeCompare(a.kind) || a.name.localeCompare(b.name))
  .map((result) => ({
    ...result,
    levels: new Map(sumUpLevels(result).map((level) => [level.level, level])),
  }));
