/** Runs an agent on the graded briefs of a service and grades it: `npm run briefs -- URL --agent "COMMAND"`. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import * as v from 'valibot';
import { BriefResult, sumUpLevels, toBriefSums } from '../src/briefs/brief-result.ts';
import { fetchJson, Mistake, readCommand, readOrigin, WrongCall } from './command.ts';

const usage = `npm run briefs -- URL --agent "COMMAND" [--brief ID ...] [--variant N] [--times K]
               [--name NAME] [--about TEXT] [--out FILE] [--json]

COMMAND  is run by a shell for each brief, with BRIEF_TEXT, BRIEF_URL and BRIEF_WORKSPACE in its environment
--brief  the briefs to run; all of them by default
--times  runs of each, in variants N, N + 1, ...: pass^K is the share of briefs that passed in all of them
--name   what the agent is called in the result file, and --about what it is
--out    the result file; brief-result.json by default
--json   prints JSON in place of the table`;

async function ask(url: string, init?: RequestInit) {
  const { response, body } = await fetchJson(url, init);
  if (!response.ok) throw new Mistake(`${url} answered ${response.status}: ${body.reason ?? body.message}`);
  return body;
}

/** Opens a local proxy of a service. It counts the calls of an agent, and how many were refused. */
async function openProxy(target: string) {
  const counts = { calls: 0, refused: 0 };
  const server = createServer(async (request, response) => {
    counts.calls += 1;
    const { host: _, connection: __, 'content-length': ___, ...headers } = request.headers;
    const hasBody = request.method !== 'GET' && request.method !== 'HEAD';
    const reply = await fetch(new URL(request.url!, target), {
      method: request.method!,
      headers: headers as Record<string, string>,
      ...(hasBody && { body: await text(request) }),
    });
    const body = await reply.text();
    if (reply.status >= 400 || body.includes('"isError":true')) counts.refused += 1;
    const sent = [...reply.headers].filter(
      ([name]) => !/^(content-(encoding|length)|transfer-|connection)/.test(name),
    );
    response.writeHead(reply.status, Object.fromEntries(sent)).end(body);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  return { counts, url: `http://localhost:${port}`, close: () => server.close() };
}

async function runBrief(url: string, agent: string, id: string, variant: number) {
  const body = JSON.stringify({ variant });
  const started = await ask(`${url}/briefs/${id}/start`, { method: 'POST', body });
  const { text: task, rules, level } = started.brief;
  const proxy = await openProxy(url);
  const start = performance.now();
  const BRIEF_TEXT = `${task}\n\nRules:\n${rules.map((rule: string) => `- ${rule}`).join('\n')}`;
  const env = { ...process.env, BRIEF_TEXT, BRIEF_URL: proxy.url, BRIEF_WORKSPACE: started.workspace };
  // The agent's output goes to standard error.
  await once(spawn(agent, { shell: true, stdio: ['ignore', 2, 2], env }), 'exit');
  const seconds = Math.round((performance.now() - start) / 100) / 10;
  proxy.close();
  const { grade } = await ask(`${url}/grade`, { headers: { 'X-Grader': started.grader } });
  const passed: boolean = grade.passed;
  const failed: string[] = grade.checks.flatMap((check: { id: string; passed: boolean; found: string }) =>
    check.passed ? [] : [`${check.id}: found ${check.found}`],
  );
  return { brief: id, level, variant, passed, failed, ...proxy.counts, seconds };
}

type ResultHead = Omit<BriefResult, 'briefs'>;

/** Checks what the result file will say of the runs, before the first run. Throws a WrongCall that names the option. */
function readHead(head: ResultHead): ResultHead {
  const parsed = v.safeParse(v.omit(BriefResult, ['briefs']), head);
  if (parsed.success) return parsed.output;
  const [issue] = parsed.issues;
  throw new WrongCall(`--${v.getDotPath(issue)} ${issue.message}.`);
}

const { values, positionals } = readCommand(usage, {
  allowPositionals: true,
  options: {
    agent: { type: 'string' },
    brief: { type: 'string', multiple: true },
    variant: { type: 'string', default: '0' },
    times: { type: 'string', default: '1' },
    name: { type: 'string', default: 'Unnamed agent' },
    about: { type: 'string', default: '' },
    out: { type: 'string', default: 'brief-result.json' },
    json: { type: 'boolean', default: false },
  },
});
const [address] = positionals;
if (!values.agent) throw new WrongCall('Say how to run the agent: --agent "COMMAND".');
const head = readHead({
  name: values.name,
  kind: 'agent',
  about: values.about,
  day: new Date().toISOString().slice(0, 10),
  times: Number(values.times),
  variant: Number(values.variant),
});
const { variant: from, times } = head;
const url = readOrigin(address);
const { briefs }: { briefs: { id: string }[] } = await ask(`${url}/briefs`);
const ids = values.brief ?? briefs.map(({ id }) => id);
const results: Awaited<ReturnType<typeof runBrief>>[] = [];
for (const id of ids)
  for (let variant = from; variant < from + times; variant += 1)
    results.push(await runBrief(url, values.agent, id, variant));
const result: BriefResult = { ...head, briefs: toBriefSums(results) };
writeFileSync(values.out, `${JSON.stringify(result, null, 1)}\n`);
const levels = sumUpLevels(result);
const sum = (name: 'briefs' | 'passed') => levels.reduce((total, level) => total + level[name], 0);
const formatShare = (passed: number, briefs: number) =>
  `${passed} of ${briefs} briefs passed, pass^${times} ${(passed / briefs).toFixed(2)}`;
if (values.json)
  console.log(JSON.stringify({ results, times, levels, passPowK: sum('passed') / sum('briefs') }, null, 2));
else {
  for (const { brief, level, variant, passed, failed, calls, refused, seconds } of results) {
    console.log(
      `${passed ? 'pass' : 'FAIL'}  level ${level}  ${brief} (${variant}): ${calls} calls, ${refused} refused, ${seconds} s`,
    );
    for (const failure of failed) console.log(`      ${failure}`);
  }
  for (const { level, passed, briefs: count, calls } of levels)
    console.log(`level ${level}: ${formatShare(passed, count)}, ${calls} calls a run`);
  console.log(`${formatShare(sum('passed'), sum('briefs'))}; ${values.out} has the result`);
}
