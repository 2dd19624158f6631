import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { type Client, connect } from './http.ts';

const root = join(import.meta.dirname, '..', '..');
type Command = 'backup' | 'restore' | 'transfer';
type Env = Record<string, string>;

/** What a command printed, and its exit code. */
interface CommandResult {
  code: number | null;
  said: string;
}

const toArguments = (command: Command, args: readonly string[]) => [`scripts/${command}.ts`, ...args];
const { PATH, NODE_COMPILE_CACHE } = process.env;
const toEnv = (env: Env) => ({ PATH, NODE_COMPILE_CACHE, ...env });

/** Runs a command of package.json to its end, as `npm run COMMAND -- ARGS` does. */
export function runCommand(command: Command, args: readonly string[], env: Env = {}): CommandResult {
  const options = { cwd: root, env: toEnv(env), encoding: 'utf8' } as const;
  const { status, stdout, stderr } = spawnSync(process.execPath, toArguments(command, args), options);
  return { code: status, said: stdout + stderr };
}

/** Runs a command and asserts that it succeeds. Returns what it printed. */
export function runWell(command: Command, args: readonly string[], env: Env = {}): string {
  const { code, said } = runCommand(command, args, env);
  assert.is(code, 0, said);
  return said;
}

/** Runs a command and asserts that it fails without a stack trace. Returns what it printed. */
export function runBadly(command: Command, args: readonly string[], env: Env = {}): string {
  const { code, said } = runCommand(command, args, env);
  assert.ok(code === 1 || code === 2, `exit code ${code}: ${said}`);
  assert.not.match(said, /\n\s+at /);
  return said;
}

/** Starts a command and returns its process. */
export const startCommand = (command: Command, args: readonly string[], env: Env = {}): ChildProcess =>
  spawn(process.execPath, toArguments(command, args), { cwd: root, env: toEnv(env), stdio: 'ignore' });

/** A workspace that was made through HTTP, with one candidate. */
export interface Made {
  workspace: string;
  id: string;
}

export async function makeOne(client: Client): Promise<Made> {
  const { status, body } = await client.post('/candidates', { name: 'Ann Sample', onetCode: '15-1252.00' });
  assert.is(status, 201);
  return { workspace: body.workspace, id: body.candidate.id };
}

/** Returns the status of a read of the candidate that was made. */
export async function readStatus(client: Client, { workspace, id }: Made): Promise<number> {
  return (await client.get(`/candidates/${id}`, { 'X-Workspace': workspace })).status;
}

/** Connects to a host. */
export const connectTo = ({ origin }: { origin: string }): Promise<Client> => connect(origin);
