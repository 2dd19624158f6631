/** Imports a file into a service: `npm run import -- FILE --to ORIGIN`. It is dry unless `--write` is given. */
import { basename } from 'node:path';
import { fetchJson, Mistake, readCommand, readFileName, readOrigin, WrongCall } from './command.ts';
import { readImportFile } from './import/read-file.ts';
import { formatReport, type ImportReply } from './import/report.ts';

const usage = `npm run import -- FILE --to ORIGIN [--kind KIND] [--workspace ID] [--write]

FILE         a CSV file, or a JSON Resume or JobPosting whose name ends in .json or .jsonld
--to         the service, such as http://localhost:4321
--kind       what the rows of a CSV file are: candidates or jobOrders
--workspace  the workspace to import into; without it a new one
--write      creates the records; without it nothing is stored, and you see what would be
--help       prints this

It exits 1 if the file has a problem, and 2 if it was not called as above.`;

type Reply = ImportReply & { issues?: { path: string; message: string }[]; reason?: string };

async function send(url: string, init: RequestInit): Promise<{ isDone: boolean; reply: Reply }> {
  const { response, body: reply } = await fetchJson(url, init);
  if (!response.ok && reply.reason === undefined && reply.issues === undefined)
    throw new Mistake(`${url} answered ${response.status}: ${reply.message ?? reply.statement ?? ''}`);
  return { isDone: response.ok, reply };
}

/** Imports the file that the command line names. Returns the exit code. Throws a Mistake. */
async function run(): Promise<number> {
  const text = { type: 'string' } as const;
  const options = {
    to: text,
    kind: text,
    workspace: text,
    write: { type: 'boolean', default: false },
  } as const;
  const { values, positionals } = readCommand(usage, { allowPositionals: true, options });
  const { kind, workspace, write } = values;
  const path = readFileName(positionals);
  if (kind !== undefined && kind !== 'candidates' && kind !== 'jobOrders')
    throw new WrongCall(`--kind must be candidates or jobOrders, not ${kind}.`);
  const origin = readOrigin(values.to);
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

process.exitCode = await run();
