import { type Report, toSummary } from './report.ts';

const begin = '<!-- goals: written by npm run bench -->\n\n';
const end = '\n\n<!-- end of goals -->';

/**
 * The page RESULTS.md with the goals of this report, and where and how they were measured, in their place. Throws
 * where it has none.
 */
export function withGoals(page: string, report: Report): string {
  const [from, to] = [page.indexOf(begin), page.indexOf(end)];
  if (from < 0 || to < from) throw new Error('RESULTS.md has no place for the table of goals');
  return page.slice(0, from + begin.length) + toSummary(report) + page.slice(to);
}
