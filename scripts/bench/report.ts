import { execFileSync } from 'node:child_process';
import { availableParallelism, cpus, loadavg, release, totalmem, type } from 'node:os';
import type { Goal } from './cases.ts';
import { type Spread, toSpread } from './load.ts';
import type { MemoryUse } from './memory.ts';
import { hasNginx, hasWrk, root } from './processes.ts';
import type { Finding, Result } from './rounds.ts';
import type { BuildTimes, StartTimes } from './single.ts';

/** What the figures were taken on. */
export interface Machine {
  cpu: string;
  cores: number;
  memoryGb: number;
  system: string;
  node: string;
  load: string;
  nginx: boolean;
  commit: string;
  date: string;
  /** Processes that wanted a core in the minute before the bench; figures of a busy machine are noise. */
  busy: number;
}

export function toMachine(): Machine {
  let commit = 'unknown';
  try {
    commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: root, encoding: 'utf8' }).trim();
  } catch {}
  return {
    cpu: cpus()[0]?.model.trim() ?? 'unknown',
    cores: availableParallelism(),
    memoryGb: Math.round(totalmem() / 1e9),
    system: `${type()} ${release()}`,
    node: process.version,
    load: hasWrk ? 'wrk' : 'autocannon',
    nginx: hasNginx,
    commit,
    date: new Date().toISOString().slice(0, 10),
    busy: Math.round(loadavg()[0]! * 10) / 10,
  };
}

function toMachineText({ cpu, cores, memoryGb, system, node, load, commit, date, busy }: Machine): string {
  const others = busy > 0.5 ? `; BUSY with ${busy} other processes` : '';
  return `${cpu}, ${cores} cores, ${memoryGb} GB; ${system}; Node ${node}; load by ${load}; commit ${commit}, ${date}${others}`;
}

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

/** Everything that a run found out; what was left out of a run is absent. */
export interface Report {
  machine: Machine;
  rounds: number;
  seconds: number;
  results: Result[];
  start?: StartTimes;
  /** The first search of a process, as a ratio of later ones. */
  firstSearch?: Spread;
  bundle?: { main: number; all: number };
  build?: BuildTimes;
  memory?: MemoryUse;
}

/** One line of the table of goals. */
interface GoalRow {
  what: string;
  goal: string;
  reached: string;
  byCpu: string;
  /** What `node:http` that sends a constant and keeps our log reaches of a goal that was missed. */
  limit: string;
  met: boolean;
}

const peers: Record<string, string> = {
  raw: 'node:http sending a constant',
  'raw 200': 'node:http sending the document',
  'raw logged': 'node:http sending a constant, with our log',
  bare: 'node:http by hand',
  fastify: 'Fastify',
  'fastify map': 'Fastify with a Map',
  hono: 'Hono',
  map: 'node:http from a Map',
  sdk: 'the MCP SDK',
  http: 'the same by HTTP',
};

const toNumber = (value: number) =>
  value >= 100 ? Math.round(value).toLocaleString('en') : value.toFixed(2);
const toText = ({ median, min, max }: Spread) => `${toNumber(median)} (${toNumber(min)}-${toNumber(max)})`;

function toGoalText(goal: Goal): string {
  if ('against' in goal) return `>= ${goal.atLeast} of ${peers[goal.against] ?? goal.against}`;
  return goal.figure === 'rate' ? `>= ${toNumber(goal.atLeast)} a second` : `p99 <= ${goal.atMost} ms`;
}

const toCpuText = (ratio?: Spread) => (ratio && !Number.isNaN(ratio.median) ? toNumber(ratio.median) : '');

function toLoadRow(title: string, { log, goal, reached, byCpu, limit, met }: Finding): GoalRow {
  return {
    what: log === 'off' ? `${title}, LOG=off` : title,
    goal: toGoalText(goal),
    reached: toText(reached),
    byCpu: toCpuText(byCpu),
    limit: met || log === 'off' ? '' : toCpuText(limit),
    met,
  };
}

function toCeilingRow(what: string, unit: string, value: number, ceiling: number): GoalRow {
  const goal = `<= ${ceiling} ${unit}`;
  return { what, goal, reached: toNumber(value), byCpu: '', limit: '', met: value <= ceiling };
}

/** The goals, and how far each was reached. */
function toGoalRows({ results, start, firstSearch, bundle, build, memory }: Report): GoalRow[] {
  const rows = results.flatMap(({ title, findings }) => findings.map((finding) => toLoadRow(title, finding)));
  if (start) {
    const row = toCeilingRow('start to first answer', 'x an empty server', start.ratio.median, 5);
    rows.push({ ...row, reached: toText(start.ratio) });
  }
  if (firstSearch) {
    const row = toCeilingRow('first search after start', 'x a later one', firstSearch.median, 2);
    rows.push({ ...row, reached: toText(firstSearch) });
  }
  if (bundle) rows.push(toCeilingRow('server bundle', 'MB', bundle.main / 1e6, 1.5));
  if (build) rows.push(toCeilingRow('full build', 's', build.seconds, 20));
  if (memory) {
    const count = memory.requests.toLocaleString('en');
    rows.push(toCeilingRow(`memory after ${count} requests`, 'MB', memory.samples.at(-1)!.mb, 200));
    rows.push(toCeilingRow('growth, last quarter to second', 'x', memory.growth, 1.05));
  }
  return rows;
}

function toTable(head: string[], rows: string[][]): string {
  const widths = head.map((_, column) => Math.max(...[head, ...rows].map((row) => row[column]!.length)));
  const toLine = (row: string[]) =>
    `| ${row.map((cell, column) => cell.padEnd(widths[column]!)).join(' | ')} |`;
  return [
    toLine(head),
    `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`,
    ...rows.map(toLine),
  ].join('\n');
}

function toRateTable(results: Result[]): string {
  const rows = results.flatMap(({ title, entries }) =>
    entries.map(({ name, rate, figures }) => {
      const p99 = figures.map((one) => one.p99).toSorted((a, b) => a - b)[figures.length >> 1]!;
      const byCpu = toSpread(figures.map((one) => one.cpuRate)).median;
      return [title, peers[name] ?? name, toText(rate), toNumber(byCpu), p99.toFixed(2)];
    }),
  );
  return toTable(['what', 'who', 'answers a second', 'a second of processor time', 'p99 ms'], rows);
}

/** Where and how it was measured, and the goals as a Markdown table. */
function toSummary(report: Report): string {
  const { machine, rounds, seconds } = report;
  const rows = toGoalRows(report).map(({ what, goal, reached, byCpu, limit, met }) => [
    what,
    goal,
    reached,
    byCpu,
    limit,
    met ? 'yes' : 'NO',
  ]);
  return [
    `${toMachineText(machine)}\n${rounds} interleaved rounds of ${seconds} s, 32 connections; medians (least-greatest)`,
    toTable(['what', 'goal', 'reached', 'by processor time', 'limit', 'met'], rows),
  ].join('\n\n');
}

/** The whole report as Markdown tables. */
export function toReportText(report: Report): string {
  const { results, start, build, memory } = report;
  const steps = build?.steps.map(({ name, seconds: taken }) => `${name} ${taken.toFixed(1)} s`).join(', ');
  return [
    toSummary(report),
    ...(results.length > 0 ? [toRateTable(results)] : []),
    ...(start ? [`start: ours ${toText(start.ours)} ms, empty server ${toText(start.empty)} ms`] : []),
    ...(build ? [`build: ${steps}`] : []),
    ...(memory
      ? [
          `memory: ${memory.atStart.toFixed(0)} MB at start, then ${memory.samples.map(({ mb }) => mb.toFixed(0)).join(' ')}`,
        ]
      : []),
  ].join('\n\n');
}
