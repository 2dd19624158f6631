/** Imports a file into a service: `npm run import -- FILE --to ORIGIN`. It is dry unless `--write` is given. */
import { basename } from 'node:path';
import { fetchJson, Mistake, readCommand, readFileName, readOrigin, WrongCall } from './command.ts';
import { type ImportOptions, readImportFile } from './import/read-file.ts';
import { formatReport, type ImportReply } from './import/report.ts';

const usage = `npm run import -- FILE --to ORIGIN [--kind KIND] [--workspace ID] [--upsert] [--skip] [--write]

FILE         a CSV file, or a JSON Resume or JobPosting whose name ends in .json or .jsonld
--to         the service, such as http://localhost:4321
--kind       what the rows of a CSV file are: candidates or jobOrders
--workspace  the workspace to import into; without it a new one
--column     what a column means, such as "Position Desired=title"; may be repeated
--code       the code of a row, such as "row 3=29-1141.00"; may be repeated
--upsert     changes the record of the workspace that has the id of a row
--skip       leaves out rows with problems, and imports the others
--write      creates the records; without it nothing is stored, and you see what would be
--help       prints this

It exits 1 if the file has a problem that is not skipped, and 2 if it was not called as above.`;

type Reply = ImportReply & { issues?: { path: string; message: string }[]; reason?: string };

async function send(url: string, init: RequestInit): Promise<{ isDone: boolean; reply: Reply }> {
  const { response, body: reply } = await fetchJson(url, init);
  if (!response.ok && reply.reason === undefined && reply.issues === undefined)
    throw new Mistake(`${url} answered ${response.status}: ${reply.message ?? reply.statement ?? ''}`);
  return { isDone: response.ok, reply };
}

/** Splits NAME=VALUE at its last sign. Throws a WrongCall if it has no name or no value. */
function splitPair(option: string, pair: string, example: string): [name: string, value: string] {
  const at = pair.lastIndexOf('=');
  const [name, value] = [pair.slice(0, Math.max(at, 0)).trim(), pair.slice(at + 1).trim()];
  if (name === '' || value === '') throw new WrongCall(`Write ${option} "${example}", not "${pair}".`);
  return [name, value];
}

/** Reads the command line. Ends the process, or throws a WrongCall, if it is not as the usage says. */
function readOptions() {
  const text = { type: 'string' } as const;
  const texts = { type: 'string', multiple: true, default: [] as string[] } as const;
  const isSet = { type: 'boolean', default: false } as const;
  const options = {
    ...{ to: text, kind: text, workspace: text, column: texts, code: texts },
    ...{ upsert: isSet, skip: isSet, write: isSet },
  };
  const { values, positionals } = readCommand(usage, { allowPositionals: true, options });
  const { kind, workspace, write, upsert, skip } = values;
  const path = readFileName(positionals);
  if (kind !== undefined && kind !== 'candidates' && kind !== 'jobOrders')
    throw new WrongCall(`--kind must be candidates or jobOrders, not ${kind}.`);
  const columns = values.column.map((pair) => splitPair('--column', pair, 'Position Desired=title'));
  const codes = values.code.map((pair) => {
    const [at, onetCode] = splitPair('--code', pair, 'row 3=29-1141.00');
    return { at, onetCode };
  });
  const file: ImportOptions = {
    ...(kind !== undefined && { kind }),
    ...(columns.length > 0 && { columns: Object.fromEntries(columns) }),
    ...(codes.length > 0 && { codes }),
    dryRun: !write,
    ...(upsert && { upsert }),
    ...(skip && { onProblem: 'skip' as const }),
  };
  return { path, origin: readOrigin(values.to), workspace, file };
}

/** Imports the file that the command line names. Returns the exit code. Throws a Mistake. */
async function run(): Promise<number> {
  const { path, origin, workspace, file } = readOptions();
  const { type = 'application/json', query = '', body } = readImportFile(path, file);
  const headers = { 'Content-Type': type, ...(workspace !== undefined && { 'X-Workspace': workspace }) };
  const { isDone, reply } = await send(`${origin}/imports${query}`, { method: 'POST', headers, body });
  if (!isDone) {
    console.error(`${basename(path)} was not imported: ${reply.reason ?? ''}`);
    for (const { path: at, message } of reply.issues ?? []) console.error(`  ${at}: ${message}`);
    return 1;
  }
  const { dryRun, onProblem } = file;
  const mode = dryRun ? `a dry run at ${origin}, nothing is stored` : `imported into ${origin}`;
  console.log(formatReport(`${basename(path)}: ${mode}`, reply, !dryRun));
  const isRefused = reply.problems.length > 0 && onProblem !== 'skip';
  const hasRecords = Object.values(reply.records).flat().length > 0;
  if (dryRun && hasRecords && !isRefused) console.log('\nTo write these records, add --write.');
  return isRefused ? 1 : 0;
}

process.exitCode = await run();
