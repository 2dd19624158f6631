/** Measures the service against its peers. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { toCases } from './bench/cases.ts';
import { type Report, toMachine, toReportText, withGoals } from './bench/report.ts';
import { measure } from './bench/rounds.ts';
import { root, startOurs } from './bench/servers.ts';
import { singles } from './bench/single.ts';
import { get, send } from './bench/wire.ts';
import { readCommand, WrongCall } from './command.ts';
import { toCount } from './count.ts';
import { installReferees } from './referees/install.ts';

const usage = `npm run bench -- [--quick] [--only NAME] [--rounds 5] [--seconds 2] [--requests 200000]

Measures the service against its peers, and writes scripts/bench/results.json and the table in RESULTS.md.
--quick  fewer rounds
--only   a part of the name of a case, or start, bundle, build, memory or plan; nothing is written then`;

const text = { type: 'string' } as const;
const { values } = readCommand(usage, {
  options: {
    quick: { type: 'boolean', default: false },
    only: { ...text, multiple: true },
    ...{ rounds: text, seconds: text, requests: text },
  },
});
const rounds = toCount('rounds', values.rounds, values.quick ? 3 : 5);
const seconds = toCount('seconds', values.seconds, values.quick ? 1 : 2);
const requests = toCount('requests', values.requests, values.quick ? 50_000 : 200_000);
const names = Object.keys({ ...singles, ...toCases('') });
const unknown = values.only?.filter((part) => !names.some((name) => name.includes(part))) ?? [];
if (unknown.length > 0)
  throw new WrongCall(`No case is called ${unknown.join(', ')}. There are: ${names.join(', ')}.`);
const isWanted = ([name]: [string, unknown]) =>
  !values.only || values.only.some((part) => name.includes(part));

process.on('SIGINT', () => process.exit(130));
// An idle connection does not keep a process alive, so this timer does. The script ends with process.exit.
setInterval(() => {}, 1000);
const report: Report = { machine: toMachine(), rounds, seconds, goals: [], rates: [] };

installReferees();
for (const [name, take] of Object.entries(singles).filter(isWanted)) {
  console.error(name);
  report.goals.push(...(await take({ rounds: rounds * 2, requests })));
}
/** The port of our server from which peers read their answers. It is not measured, because these reads slow it. */
const { port: reference } = await startOurs();
const etag = (await send(reference, get('/pricing'))).headers.etag!;
for (const [, benchCase] of Object.entries(toCases(etag)).filter(isWanted)) {
  const { goals, rates } = await measure(benchCase, { rounds, seconds, reference });
  report.goals.push(...goals);
  report.rates.push(...rates);
}

console.log(toReportText(report));
if (!values.only) {
  const folder = join(root, 'scripts/bench');
  const page = join(folder, 'RESULTS.md');
  writeFileSync(join(folder, 'results.json'), `${JSON.stringify(report, null, 1)}\n`);
  writeFileSync(page, withGoals(readFileSync(page, 'utf8'), report));
  console.log('\nWritten to results.json and RESULTS.md in scripts/bench');
}
process.exit();
