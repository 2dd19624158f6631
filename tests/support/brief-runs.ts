import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { BriefRun, BriefRuns, RecordedCall } from '../../src/briefs/recorded-run.ts';
import { kinds } from '../../src/kinds.ts';
import { solutions } from './brief-solutions.ts';
import { openBriefs, startBrief } from './briefs.ts';
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
  const world = await openBriefs();
  const sent: RecordedCall[] = [];
  const labels = new Map<string, string>();
  const isUnrelated = (path: string) => /^\/(briefs|grade)/.test(path);
  async function ask(method: string, path: string, body?: unknown, headers: object = {}) {
    const reply = await world.ask(method, path, body, headers);
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
  }
  const started = await startBrief({ ...world, ask } as typeof world, id, 0);
  await started.take(solutions[id]!.steps, 'http');
  const { passed, checks } = await started.grade();
  const number = createNumbering();
  const calls: RecordedCall[] = JSON.parse(number(JSON.stringify(sent)));
  return {
    day: new Date(world.now()).toISOString().slice(0, 10),
    passed,
    calls,
    checks: checks.map(({ text, passed: isMet, found }: Body) => ({
      text,
      passed: isMet,
      found: number(found),
    })),
  };
}

/** Runs the example agent on every brief at an address. Returns the ids of the briefs that it passed. */
export async function runExampleAgent(origin: string): Promise<string[]> {
  const agent = `${process.execPath} scripts/briefs/example-agent.ts`;
  const args = ['scripts/briefs.ts', origin, '--agent', agent, '--json'];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  const { results } = JSON.parse(stdout) as { results: { brief: string; passed: boolean }[] };
  return results.filter(({ passed }) => passed).map(({ brief }) => brief);
}

/** Records the run of the solution of each brief. */
export async function recordRuns(): Promise<BriefRuns['runs']> {
  const runs: BriefRuns['runs'] = {};
  for (const id of Object.keys(solutions).sort()) runs[id] = await recordRun(id);
  return runs;
}
