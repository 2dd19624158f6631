import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { installReferees } from '../install.ts';
import type { Finding, Verdict } from '../verdict.ts';
import { clients } from './adapters.ts';

/** Runs a client in its own process, so that its timers and faults end with it. Stops it after a minute. */
function runClient(name: string, address: string, folder: string): Promise<Finding[]> {
  const args = [join(import.meta.dirname, 'run.ts'), name, address];
  const options = { env: { ...process.env, REFEREE_FOLDER: folder }, timeout: 60_000 };
  return new Promise((resolve) => {
    execFile(process.execPath, args, options, (error, output, errors) => {
      if (!error) resolve(JSON.parse(output.trim().split('\n').at(-1)!));
      else resolve([{ rule: 'run', where: name, message: `${error.code}: ${errors.slice(-500)}` }]);
    });
  });
}

/** Has each client from npm connect, list the tools, and create, change, find and delete a candidate. */
export async function judgeClients(origin: string, folder: string): Promise<Verdict> {
  installReferees('clients');
  const findings: Finding[] = [];
  for (const name of Object.keys(clients)) findings.push(...(await runClient(name, `${origin}/mcp`, folder)));
  return { findings };
}
