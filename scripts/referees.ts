/**
 * Runs the programs from npm that judge the service from outside. It fails if scripts/referees/accepted.json does not
 * accept a finding, requires a higher score, or has an entry that matches nothing.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder, startServer } from '../tests/support/server.ts';
import { readCommand, WrongCall } from './command.ts';
import { installReferees } from './referees/install.ts';
import { heavyReferees, referees } from './referees/list.ts';

/** A finding that is accepted: `where` is a regular expression, and `reason` says why. */
interface Accepted {
  referee: string;
  rule: string;
  where: string;
  reason: string;
}

const usage = `npm run referees -- [--all] [--light] [NAME ...]

Runs the programs from npm that judge the service from outside. It needs npm run build -- --files.
--all    also prints the findings that are accepted
--light  leaves out those that install their own packages: ${heavyReferees.join(', ')}
NAME     one of ${Object.keys(referees).join(', ')}`;

const flag = { type: 'boolean', default: false } as const;
const { values, positionals: names } = readCommand(usage, {
  allowPositionals: true,
  options: { all: flag, light: flag },
});
const unknown = names.filter((name) => !(name in referees));
if (unknown.length > 0) throw new WrongCall(`No referee is called ${unknown.join(', ')}.`);
const file = join(import.meta.dirname, 'referees', 'accepted.json');
const { findings: accepted, scores }: { findings: Accepted[]; scores: Record<string, number> } = JSON.parse(
  readFileSync(file, 'utf8'),
);
const isLeftOut = (name: string) => values.light && heavyReferees.includes(name);
const wanted = Object.entries(referees).filter(([name]) =>
  names.length === 0 ? !isLeftOut(name) : names.includes(name),
);
installReferees();
const folder = makeFolder();
const server = await startServer({ LOG: 'off', RATE_LIMIT: 'off' });
let failures = 0;

/** Prints a failure and counts it. */
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
      const entry = own.find(
        (candidate) => candidate.rule === rule && new RegExp(candidate.where).test(where),
      );
      if (entry) used.add(entry);
      if (!entry) fail(`${name} ${rule} ${where}: ${message}`);
      else if (values.all) console.log(`     ${name} ${rule} ${where}: ${entry.reason}`);
    }
    for (const unused of own)
      if (!used.has(unused)) fail(`${name} ${unused.rule} ${unused.where}: accepted for nothing`);
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
process.exitCode = failures > 0 ? 1 : 0;
