import * as v from 'valibot';
import { may, say } from '../kernel/text.ts';

const percentiles = ['p10', 'p25', 'median', 'p75', 'p90'] as const;
const dollars = say(v.nullable(v.pipe(v.number(), v.minValue(0))), 'In US dollars.');
const Figures = v.object({ p10: dollars, p25: dollars, median: dollars, p75: dollars, p90: dollars });
type Figures = v.InferOutput<typeof Figures>;

/** What an occupation pays in the United States. A figure is null if it is above what the Bureau publishes. */
export const Pay = say(
  v.object({
    source: say(v.string(), 'Who publishes the figures, in which survey.'),
    release: say(v.string(), 'The month that they are of.'),
    soc: say(v.string(), 'The SOC code that they are of: a broad group ends in 0.'),
    hourly: may(Figures, 'Percentiles of an hour.'),
    annual: may(Figures, 'Percentiles of a year.'),
    topCoded: may(v.literal(true), 'A null is above what the Bureau publishes.'),
  }),
  'Wages by percentile in the United States, all industries.',
);
export type Pay = v.InferOutput<typeof Pay>;

/** Formats a figure in dollars, with cents if it is hourly. Null means that it is above what the Bureau publishes. */
export function formatFigure(figure: number | null, { hourly }: Pay): string {
  const digits = hourly ? 2 : 0;
  const format = { minimumFractionDigits: digits, maximumFractionDigits: digits };
  return figure === null ? 'above what is published' : `$${figure.toLocaleString('en-US', format)}`;
}

/** Reads figures of the release: `#` is above what is published, and `*` means that there is no estimate. */
function readFigures(texts: readonly string[]): Figures | undefined {
  if (texts.includes('*')) return undefined;
  const figures = percentiles.map((name, at) => [name, texts[at] === '#' ? null : Number(texts[at])]);
  return Object.fromEntries(figures) as Figures;
}

/** Reads content/wages/oews-2024.tsv. An O*NET-SOC code has the pay of its SOC code, else of its broad group. */
export function readPay(text: string): (code: string) => Pay | undefined {
  const rows = text
    .trimEnd()
    .split('\n')
    .slice(1)
    .map((line) => line.split('\t'));
  const find = (soc: string, group: string) => rows.find((row) => row[0] === soc && row[2] === group);
  return (code) => {
    const soc = code.slice(0, 7);
    const row = find(soc, 'detailed') ?? find(`${soc.slice(0, 6)}0`, 'broad');
    if (!row) return undefined;
    const [hourly, annual] = [readFigures(row.slice(4, 9)), readFigures(row.slice(9, 14))];
    return {
      source: 'U.S. Bureau of Labor Statistics, Occupational Employment and Wage Statistics',
      release: 'May 2024',
      soc: row[0]!,
      ...(hourly && { hourly }),
      ...(annual && { annual }),
      ...(row.includes('#') && { topCoded: true }),
    };
  };
}
