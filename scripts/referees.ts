/**
 * Runs the programs from npm that judge the service from outside: `npm run referees -- [--all] [--light] [NAME …]`.
 * It fails on a finding that scripts/referees/accepted.json does not accept, on a score below the least in that file,
 * and on an entry there that matches nothing. --all prints the accepted findings too. --light leaves out the clients
 * and the generators, which install packages of their own. It needs a build with --files.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder, startServer } from '../tests/support/server.ts';
import { installReferees } from './referees/install.ts';
import { heavyReferees, referees } from './referees/list.ts';

/** A finding that is accepted: `where` is a regular expression, and `reason` says why. */
interface Accepted {
  referee: string;
  rule: string;
  where: string;
  reason: string;
}

const args = process.argv.slice(2);
const names = args.filter((argument) => !argument.startsWith('--'));
const file = join(import.meta.dirname, 'referees', 'accepted.json');
const { findings: accepted, scores }: { findings: Accepted[]; scores: Record<string, number> } = JSON.parse(
  readFileSync(file, 'utf8'),
);
const isLeftOut = (name: string) => args.includes('--light') && heavyReferees.includes(name);
const wanted = Object.entries(referees).filter(([name]) =>
  names.length === 0 ? !isLeftOut(name) : names.includes(name),
);
installReferees();
const folder = makeFolder();
const server = await startServer({ LOG: 'off', RATE_LIMIT: 'off' });
let failures = 0;

/** Prints a reason to fail. */
function fail(text: string): void {
  failures += 1;
  console.log(`FAIL ${text}`);
}

try {
  for (const [name, judge] of wanted) {
    const { findings, score, leftOut } = await judge(server.origin, folder);
    if (leftOut) {
      console.log(`${name}: left out, ${leftOut}`);
      continue;
    }
    const own = accepted.filter(({ referee }) => referee === name);
    const used = new Set<Accepted>();
    for (const { rule, where, message } of findings) {
      const by = own.find((one) => one.rule === rule && new RegExp(one.where).test(where));
      if (by) used.add(by);
      if (!by) fail(`${name} ${rule} ${where}: ${message}`);
      else if (args.includes('--all')) console.log(`     ${name} ${rule} ${where}: ${by.reason}`);
    }
    for (const one of own) if (!used.has(one)) fail(`${name} ${one.rule} ${one.where}: accepted for nothing`);
    const least = scores[name];
    if (least !== undefined && !(score !== undefined && score >= least))
      fail(`${name} scores ${score}, not ${least}`);
    console.log(
      `${name}: ${findings.length} findings, ${used.size} reasons${score === undefined ? '' : `, score ${score}`}`,
    );
  }
} finally {
  await server.stop();
}
if (wanted.length === 0) fail(`no referee is called ${names.join(', ')}`);
process.exitCode = failures > 0 ? 1 : 0;
