import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type BriefResult, toBriefSums } from '../../src/briefs/brief-result.ts';
import type { BriefRun, BriefRuns, RecordedCall } from '../../src/briefs/recorded-run.ts';
import { kinds } from '../../src/kinds.ts';
import { solutions } from './brief-solutions.ts';
import { openBriefs, readBrief, startBrief } from './briefs.ts';
import type { Body } from './http.ts';

/** Replaces ids and tokens, which are random, by numbered ones in the order in which they appear. */
function createNumbering() {
  const numbers = new Map<string, string>();
  const counts = new Map<string, number>();
  return (text: string) =>
    text.replace(/\b(cand|job|plc|cnf|sl)_[a-z0-9]{12,}/g, (id, prefix: string) => {
      const known = numbers.get(id);
      if (known) return known;
      const count = (counts.get(prefix) ?? 0) + 1;
      counts.set(prefix, count);
      numbers.set(id, `${prefix}_…${count}`);
      return numbers.get(id)!;
    });
}

/** Returns what a person calls a record of a brief. */
const labelItem = ({ name, title, client }: Body) => name ?? (client ? `${title} at ${client}` : undefined);

/** Runs the solution of a brief in variant 0 over HTTP, and records its calls and its grade. */
async function recordRun(id: string): Promise<BriefRun> {
  const world = openBriefs();
  const sent: RecordedCall[] = [];
  const labels = new Map<string, string>();
  const isUnrelated = (path: string) => /^\/(briefs|grade)/.test(path);
  const { ask } = world;
  world.ask = async (method, path, body, headers) => {
    const reply = await ask(method, path, body, headers);
    if (isUnrelated(path)) return reply;
    const text = path + JSON.stringify(body ?? {});
    const about = [...labels].flatMap(([one, label]) => (text.includes(one) ? [label] : []));
    for (const { collection, name } of kinds)
      for (const record of [
        ...(reply.body[collection] ?? []),
        ...(reply.body[name] ? [reply.body[name]] : []),
      ]) {
        const label = labelItem(record);
        if (label) labels.set(record.id, label);
      }
    const { status } = reply;
    sent.push({ method, path, ...(body !== undefined && { body: body as Body }), about, status });
    return reply;
  };
  const started = await startBrief(world, id, 0);
  await started.take(solutions[id]!.steps, 'http');
  const { passed, checks } = await started.grade();
  const number = createNumbering();
  const calls: RecordedCall[] = JSON.parse(number(JSON.stringify(sent)));
  return {
    day: new Date(world.clock.now).toISOString().slice(0, 10),
    passed,
    calls,
    checks: checks.map(({ text, passed: isMet, found }: Body) => ({
      text,
      passed: isMet,
      found: number(found),
    })),
  };
}

/** How many variants the scripts of the results run. */
const times = 4;

/**
 * Runs the example agent on every brief at an address, in several variants. Returns its result, and the ids of the briefs
 * that it passed in variant 0.
 */
export async function runExampleAgent(origin: string) {
  const agent = `${process.execPath} scripts/briefs/example-agent.ts`;
  const out = join(tmpdir(), `brief-result-${process.pid}.json`);
  const args = [
    'scripts/briefs.ts',
    origin,
    '--agent',
    agent,
    '--json',
    '--out',
    out,
    '--times',
    String(times),
  ];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  const { results } = JSON.parse(stdout) as {
    results: { brief: string; variant: number; passed: boolean }[];
  };
  const passed = results.filter((one) => one.variant === 0 && one.passed).map(({ brief }) => brief);
  const result: BriefResult = {
    ...JSON.parse(readFileSync(out, 'utf8')),
    name: 'Greedy script',
    kind: 'script',
    about: 'Reads no text, and proposes the best match for each open order.',
  };
  return { passed, result };
}

/** Runs the solution of each brief in several variants, and returns the result. */
export async function runSolutions(): Promise<BriefResult> {
  const world = openBriefs();
  const runs = [];
  for (const id of Object.keys(solutions))
    for (let variant = 0; variant < times; variant += 1) {
      const started = await startBrief(world, id, variant);
      await started.take(solutions[id]!.steps, 'http');
      const { passed, calls } = await started.grade();
      runs.push({ brief: id, level: readBrief(id).level, passed, calls });
    }
  return {
    name: 'Careful script',
    kind: 'script',
    about: 'Makes the calls that were written down for each brief, and knows every answer in advance.',
    day: new Date().toISOString().slice(0, 10),
    times,
    variant: 0,
    briefs: toBriefSums(runs).sort((a, b) => a.level - b.level || a.id.localeCompare(b.id)),
  };
}

/** Records the run of the solution of each brief. */
export async function recordRuns(): Promise<BriefRuns['runs']> {
  const runs: BriefRuns['runs'] = {};
  for (const id of Object.keys(solutions).sort()) runs[id] = await recordRun(id);
  return runs;
}
