import { type ChildProcess, spawn } from 'node:child_process';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { findPort, makeFolder } from './server.ts';

const client = join(import.meta.dirname, '..', '..', 'dist', 'client');
const children = new Set<ChildProcess>();
/** Ends whatever a test started here and did not stop. */
export function stopProcesses(): void {
  for (const child of children) child.kill('SIGKILL');
}
process.on('exit', stopProcesses);

/** A server of files and nothing else, over a copy of what the build wrote. */
export interface StaticHost {
  origin: string;
  /** The folder that it serves; a test may change it. */
  folder: string;
  stop(): void;
}

/** Starts a process and waits until something answers at `origin`. Rejects with what it printed where it ends. */
export async function startProcess(command: string, args: string[], cwd: string, origin: string) {
  const child = spawn(command, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
  children.add(child);
  let printed = '';
  let ended: string | undefined;
  child.stdout.on('data', (chunk) => (printed += chunk));
  child.stderr.on('data', (chunk) => (printed += chunk));
  child.on('error', (error) => (ended = error.message));
  child.on('exit', (code) => (ended ??= `ended with ${code}`));
  for (let tries = 0; tries < 200 && ended === undefined; tries += 1) {
    try {
      await (await fetch(origin)).arrayBuffer();
      return child;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
  throw new Error(`${command} ${ended ?? 'does not answer'}:\n${printed}`);
}

/** `python3 -m http.server` over a copy of dist/client. */
export async function startStaticHost(): Promise<StaticHost> {
  const folder = makeFolder();
  cpSync(client, folder, { recursive: true });
  const port = await findPort();
  const origin = `http://localhost:${port}`;
  const args = ['-m', 'http.server', String(port), '--bind', '127.0.0.1'];
  const child = await startProcess('python3', args, folder, origin);
  return { origin, folder, stop: () => child.kill('SIGKILL') };
}
