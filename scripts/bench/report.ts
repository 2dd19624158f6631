import { spawnSync } from 'node:child_process';
import { availableParallelism, cpus, loadavg, release, totalmem, type } from 'node:os';
import { type Figures, generator, type Spread, toSpread } from './load.ts';
import { root } from './servers.ts';

/** A goal and its result. It has either `atLeast` or `atMost`. */
export interface Goal {
  what: string;
  unit: string;
  atLeast?: number;
  atMost?: number;
  reached: Spread;
  /** The same ratio by processor time of the server. */
  byCpu?: Spread;
  /** Our ratio by processor time to `node:http` that sends a constant and writes our log. */
  limit?: Spread | undefined;
}

/** The figures of one server in a case, round by round. */
export interface Rates {
  title: string;
  who: string;
  figures: Figures[];
}

/** All figures of a run. */
export interface Report {
  /** The machine, the commit and the day. */
  machine: string;
  rounds: number;
  seconds: number;
  goals: Goal[];
  rates: Rates[];
}

/** Returns the machine, the commit and the day, with BUSY if other processes wanted a core in the last minute. */
export function toMachine(): string {
  const { stdout } = spawnSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: root, encoding: 'utf8' });
  const busy = loadavg()[0]!;
  return [
    `${cpus()[0]?.model.trim()}, ${availableParallelism()} cores, ${Math.round(totalmem() / 1e9)} GB`,
    `${type()} ${release()}`,
    `Node ${process.version}`,
    `load by ${generator}`,
    `commit ${stdout?.trim() || 'unknown'}, ${new Date().toISOString().slice(0, 10)}`,
    ...(busy > 0.5 ? [`BUSY with ${busy.toFixed(1)} other processes`] : []),
  ].join('; ');
}

const toNumber = (value: number) =>
  value >= 100 ? Math.round(value).toLocaleString('en') : value.toFixed(2);
const toText = ({ median, min, max }: Spread) =>
  min === max ? toNumber(median) : `${toNumber(median)} (${toNumber(min)}-${toNumber(max)})`;
const toMedian = (spread?: Spread) => (spread && !Number.isNaN(spread.median) ? toNumber(spread.median) : '');

function toTable(head: string[], rows: string[][]): string {
  const widths = head.map((_, column) => Math.max(...[head, ...rows].map((row) => row[column]!.length)));
  const toLine = (row: string[]) =>
    `| ${row.map((cell, column) => cell.padEnd(widths[column]!)).join(' | ')} |`;
  const rule = `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`;
  return [toLine(head), rule, ...rows.map(toLine)].join('\n');
}

/** Returns the machine, the method, and the goals as a Markdown table. */
function toSummary({ machine, rounds, seconds, goals }: Report): string {
  const rows = goals.map(({ what, unit, atLeast, atMost, reached, byCpu, limit }) => {
    const goal = `${atLeast ? '>=' : '<='} ${(atLeast ?? atMost)!.toLocaleString('en')} ${unit}`;
    const isMet = atLeast ? reached.median >= atLeast : reached.median <= atMost!;
    return [what, goal, toText(reached), toMedian(byCpu), isMet ? '' : toMedian(limit), isMet ? 'yes' : 'NO'];
  });
  return [
    `${machine}\n${rounds} interleaved rounds of ${seconds} s, 32 connections; medians (least-greatest)`,
    toTable(['what', 'goal', 'reached', 'by processor time', 'limit', 'met'], rows),
  ].join('\n\n');
}

/** Returns the whole report as Markdown tables. */
export function toReportText(report: Report): string {
  const rows = report.rates.map(({ title, who, figures }) => {
    const spreadOf = (name: keyof Figures) => toSpread(figures.map((figure) => figure[name]));
    return [title, who, toText(spreadOf('rate')), toMedian(spreadOf('cpuRate')), toMedian(spreadOf('p99'))];
  });
  const head = ['what', 'who', 'answers a second', 'a second of processor time', 'p99 ms'];
  return [toSummary(report), ...(rows.length > 0 ? [toTable(head, rows)] : [])].join('\n\n');
}

/** Replaces the summary in the page RESULTS.md. Throws if the page has no place for it. */
export function withGoals(page: string, report: Report): string {
  const place = /(?<=<!-- goals: .* -->\n\n).*(?=\n\n<!-- end of goals -->)/s;
  if (!place.test(page)) throw new Error('RESULTS.md has no place for the table of goals');
  return page.replace(place, () => toSummary(report));
}
