/** Imports a file into a service: `npm run import -- FILE --to ORIGIN`. It is dry unless `--write` is given. */
import { basename } from 'node:path';
import { parseArgs } from 'node:util';
import { Mistake, readImportFile } from './import/read-file.ts';
import { formatReport, type ImportReply } from './import/report.ts';

const usage = `npm run import -- FILE --to ORIGIN [--kind KIND] [--workspace ID] [--write]

FILE         a CSV file, or a JSON Resume or JobPosting whose name ends in .json or .jsonld
--to         the service, such as http://localhost:4321
--kind       what the rows of a CSV file are: candidates or jobOrders
--workspace  the workspace to import into; without it a new one
--write      creates the records; without it nothing is stored, and you see what would be
--help       prints this

It exits 1 if the file has a problem, and 2 if it was not called as above.`;

class WrongCall extends Mistake {}

function readCommand() {
  const options = {
    to: { type: 'string' },
    kind: { type: 'string' },
    workspace: { type: 'string' },
    write: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h', default: false },
  } as const;
  try {
    return parseArgs({ allowPositionals: true, options });
  } catch (error) {
    throw new WrongCall((error as Error).message);
  }
}

function toOrigin(to: string | undefined): string {
  if (to === undefined) throw new WrongCall('Say which service: --to http://localhost:4321');
  const isWeb = URL.canParse(to) && /^https?:$/.test(new URL(to).protocol);
  if (!isWeb)
    throw new WrongCall(`${to} is no address of a service. Send one such as http://localhost:4321.`);
  return new URL(to).origin;
}

type Reply = ImportReply & { issues?: { path: string; message: string }[]; reason?: string };

async function send(url: string, init: RequestInit): Promise<{ isDone: boolean; reply: Reply }> {
  const response = await fetch(url, init).catch((error: Error) => {
    const { message = error.message } = (error.cause ?? {}) as Partial<Error>;
    throw new Mistake(`${new URL(url).origin} does not answer: ${message}`);
  });
  const reply = await response.json().catch(() => {
    throw new Mistake(`${url} answered ${response.status}, and no JSON. Is it this service?`);
  });
  if (!response.ok && reply.reason === undefined && reply.issues === undefined)
    throw new Mistake(`${url} answered ${response.status}: ${reply.message ?? reply.statement ?? ''}`);
  return { isDone: response.ok, reply };
}

/** Imports the file that the command line names. Returns the exit code. Throws a Mistake. */
async function run(): Promise<number> {
  const { values, positionals } = readCommand();
  const { kind, workspace, write } = values;
  if (values.help) {
    console.log(usage);
    return 0;
  }
  const [path, ...more] = positionals;
  if (path === undefined || more.length > 0) throw new WrongCall('Name one file.');
  if (kind !== undefined && kind !== 'candidates' && kind !== 'jobOrders')
    throw new WrongCall(`--kind must be candidates or jobOrders, not ${kind}.`);
  const origin = toOrigin(values.to);
  const { type = 'application/json', query = '', body } = readImportFile(path, kind, !write);
  const headers = { 'Content-Type': type, ...(workspace !== undefined && { 'X-Workspace': workspace }) };
  const { isDone, reply } = await send(`${origin}/imports${query}`, { method: 'POST', headers, body });
  if (!isDone) {
    console.error(`${basename(path)} was not imported: ${reply.reason ?? ''}`);
    for (const { path: at, message } of reply.issues ?? []) console.error(`  ${at}: ${message}`);
    return 1;
  }
  const mode = write ? `imported into ${origin}` : `a dry run at ${origin}, nothing is stored`;
  console.log(formatReport(`${basename(path)}: ${mode}`, reply));
  if (!write && reply.problems.length === 0) console.log('\nTo create these records, add --write.');
  return reply.problems.length > 0 ? 1 : 0;
}

try {
  process.exitCode = await run();
} catch (error) {
  if (!(error instanceof Mistake)) throw error;
  console.error(error.message);
  if (error instanceof WrongCall) console.error(`\n${usage}`);
  process.exitCode = error instanceof WrongCall ? 2 : 1;
}
