import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import type { Body } from './http.ts';
import { makeFolder } from './server.ts';

const root = join(import.meta.dirname, '..', '..');
const host = [process.execPath, join(root, 'dist/host/main.mjs'), '--stdio'];

/** The built host, which speaks MCP over stdio. */
export interface StdioHost {
  process: ChildProcess;
  /** The folder that it was started in. */
  folder: string;
  /** Writes a line to its stdin. Text is written as it is. */
  write(message: object | string): void;
  /** Sends a request with an id of its own, and returns the answer with that id. */
  ask(method: string, params?: object): Promise<Body>;
  /** Returns the first message that `isWanted` accepts, received already or not, after the first `skip` lines. */
  receive(isWanted: (message: Body) => boolean, skip?: number): Promise<Body>;
  /** Every line of its stdout so far. */
  lines(): string[];
  stderr(): string;
  /** Closes its stdin, and returns the exit code. */
  end(): Promise<number | null>;
  exited: Promise<number | null>;
}

interface StdioOptions {
  env?: Record<string, string>;
  /** Added to the command. */
  args?: string[];
  folder?: string;
  /** Starts the host in another way. */
  command?: string[];
}

const running = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/** Starts the host in a new folder, which is also its home. */
export function startStdio(options: StdioOptions = {}): StdioHost {
  const { env = {}, args = [], folder = makeFolder(), command = host } = options;
  const [program, ...all] = [...command, ...args];
  const child = spawn(program!, all, {
    cwd: folder,
    env: { PATH: process.env.PATH, HOME: folder, ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  running.add(child);
  let out = '';
  let stderr = '';
  const messages: Body[] = [];
  const waiting = new Set<() => void>();
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    out += chunk;
    for (const line of lines().slice(messages.length)) messages.push(JSON.parse(line));
    for (const look of waiting) look();
  });
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    stderr += chunk;
  });
  // A host that has ended reads nothing more.
  child.stdin.on('error', () => {});
  const exited = new Promise<number | null>((resolve) => child.once('close', resolve));
  exited.then(() => running.delete(child));
  let requests = 0;

  const lines = () => out.split('\n').slice(0, -1);
  const receive: StdioHost['receive'] = (isWanted, skip = 0) =>
    new Promise((resolve, reject) => {
      const look = () => {
        const message = messages.slice(skip).find(isWanted);
        if (message === undefined) return;
        waiting.delete(look);
        resolve(message);
      };
      waiting.add(look);
      look();
      exited.then((code) => reject(new Error(`the host ended with ${code}:\n${out}${stderr}`)));
    });
  const write: StdioHost['write'] = (message) => {
    child.stdin.write(typeof message === 'string' ? `${message}\n` : `${JSON.stringify(message)}\n`);
  };
  return {
    process: child,
    folder,
    write,
    ask(method, params) {
      requests += 1;
      const id = `ask-${requests}`;
      write({ jsonrpc: '2.0', id, method, ...(params && { params }) });
      return receive((message) => message.id === id);
    },
    receive,
    lines,
    stderr: () => stderr,
    end() {
      child.stdin.end();
      return exited;
    },
    exited,
  };
}
