/** Runs both published suites against a deployment: `npm run verify -- URL`. Exits 1 on a failure. */
import { createHash } from 'node:crypto';
import { runSuite, type Suite } from '../src/documents/suite-runner.ts';
import { type Line, runExecutable } from './verify/run-executable.ts';

const address = process.argv[2];
if (!address || !URL.canParse(address)) {
  console.error('Say which deployment: npm run verify -- http://localhost:4321');
  process.exit(1);
}
const { origin } = new URL(address);

interface Listed {
  name: string;
  runner: string;
  digest: string;
  url?: string;
}

async function runDeclarative(suite: Suite): Promise<Line[]> {
  const lines: Line[] = [];
  for await (const { row, problems } of runSuite(suite, (path, init) => fetch(origin + path, init))) {
    lines.push({ name: row.id, problem: problems.length > 0 ? problems.join('; ') : undefined });
  }
  return lines;
}

async function runListed({ runner, digest, url }: Listed): Promise<Line[]> {
  const text = await (await fetch(origin + url)).text();
  const measured = `sha256:${createHash('sha256').update(text).digest('hex')}`;
  const pinned = {
    name: 'digest',
    problem: measured === digest ? undefined : `served bytes are ${measured}`,
  };
  const suite = JSON.parse(text);
  const lines =
    runner === 'api.qa/suite@1' ? await runDeclarative(suite) : await runExecutable(suite, origin);
  return [pinned, ...lines];
}

const { suites } = (await (await fetch(`${origin}/verify.json`)).json()) as { suites: Listed[] };
let failed = 0;
for (const suite of suites.filter(({ url }) => url)) {
  const lines = await runListed(suite);
  console.log(`\n${suite.name} (${suite.runner})`);
  for (const { name, problem } of lines)
    console.log(`  ${problem === undefined ? 'ok  ' : 'FAIL'} ${name}${problem ? `: ${problem}` : ''}`);
  const problems = lines.filter(({ problem }) => problem !== undefined).length;
  failed += problems;
  console.log(`  ${lines.length - problems} passed, ${problems} failed`);
}
process.exitCode = failed > 0 ? 1 : 0;
