import { type Report, toSummary } from './report.ts';

const begin = '<!-- goals: written by npm run bench -->\n\n';
const end = '\n\n<!-- end of goals -->';

/** The README with the goals of this report, and where and how they were measured, in their place. Throws where it has none. */
export function withGoals(readme: string, report: Report): string {
  const [from, to] = [readme.indexOf(begin), readme.indexOf(end)];
  if (from < 0 || to < from) throw new Error('README.md has no place for the table of goals');
  return readme.slice(0, from + begin.length) + toSummary(report) + readme.slice(to);
}
