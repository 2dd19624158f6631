import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import service from '../../../content/service.json' with { type: 'json' };
import { describeLeftDraft } from '../../stores/data-dir.ts';
import { operations } from '../../table.ts';
import { checkStart, noNameAdvice } from './check.ts';
import { CommandLineError } from './command-line.ts';
import { describeStore, pickChangedSettings } from './describe-settings.ts';
import { describeTable } from './describe-table.ts';
import { BuildReplaced } from './frozen.ts';
import { type Host, type HostStart, logStop, openHost, type Transports } from './host.ts';
import {
  addStdioDefaults,
  type HostCommand,
  hasListenSetting,
  hostUsage,
  readHostCommand,
} from './host-command.ts';
import { createFaultReport, type FaultReport, formatFault, warn } from './log.ts';
import { explainNearSetting, findNearSettings } from './near-settings.ts';
import { Environment, isPublicWithoutName, type NodeSettings, readSettings } from './settings.ts';

/** How a host is started. */
interface Start {
  variables: Readonly<Record<string, string | undefined>>;
  transports: Transports;
  /** Prints a line for the operator. */
  print(line: string): void;
}

function announceAddresses({ origin }: Host, settings: NodeSettings, print: Start['print']): void {
  const pages = ['/', '/llms.txt', '/openapi.json', '/.well-known/agents.json', '/pricing', '/candidates'];
  print(`${service.title} on ${origin}`);
  for (const page of pages) print(`  ${origin}${page}`);
  print(`MCP clients: ${origin}/mcp`);
  if (settings.LISTEN) print(`Listening on ${settings.LISTEN}`);
  if (isPublicWithoutName(settings)) print(noNameAdvice);
}

function announce(host: Host, settings: NodeSettings, { transports, print }: Start): void {
  if (transports.http) announceAddresses(host, settings, print);
  if (transports.stdio) print(`${service.title}: MCP over stdin and stdout, ${describeStore(settings)}`);
  print(`Signing key: ${host.keyPlace}`);
  const lack = host.storage.lack();
  if (lack) print(`The store is full, so nothing can be added until there is room: ${lack}`);
}

/** Logs the start: what runs, where, and with which settings. Secrets are left out. */
function logStart(host: Host, settings: NodeSettings, { transports, variables }: Start): void {
  const { origin, port, version, commit, storage, log } = host;
  const address = transports.http && {
    address: origin,
    listen: settings.LISTEN || `${settings.HOST || '*'}:${port}`,
  };
  log.event('start', {
    version,
    commit,
    node: process.versions.node,
    pid: process.pid,
    ...address,
    ...(transports.stdio && { stdio: true }),
    store: describeStore(settings),
    roomBytes: storage.room(),
    settings: pickChangedSettings(variables),
  });
}

/** File descriptors that this process needs besides its connections: files, the store, the listening socket. */
const ownDescriptors = 64;
const limitsFile = '/proc/self/limits';

/** Lowers MAX_CONNECTIONS to what the file descriptors of this process allow, and says so. */
function limitConnections(settings: NodeSettings, print: Start['print']): NodeSettings {
  // Only Linux has this file.
  const text = existsSync(limitsFile) ? readFileSync(limitsFile, 'utf8') : '';
  const [, limit] = /^Max open files +(\d+)/m.exec(text) ?? [];
  const most = limit === undefined ? settings.MAX_CONNECTIONS : Math.max(1, Number(limit) - ownDescriptors);
  if (settings.MAX_CONNECTIONS <= most) return settings;
  print(
    `MAX_CONNECTIONS is ${settings.MAX_CONNECTIONS}, but ulimit -n is ${limit}: at most ${most} connections are accepted. Raise ulimit -n, or lower MAX_CONNECTIONS.`,
  );
  return { ...settings, MAX_CONNECTIONS: most };
}

/** Returns why a host got SIGINT: it sends itself one if the process that started it, such as npm, has ended. */
const explainInterrupt = () =>
  process.connected === false ? 'the process that started it has ended' : 'SIGINT';

/**
 * Milliseconds in which the same signal again is an echo. If a whole process group gets one, so does this process, and
 * then once more from npm and each wrapper that passes it on.
 */
const echoMs = 1000;

/**
 * Stops a host on SIGTERM and SIGINT, or when its client over stdio has gone, and ends the process. A second signal ends
 * it at once, unless it is an echo.
 */
function stopHost(host: Host, graceSeconds: number, { table, report }: HostStart): void {
  let stoppingSince: number | undefined;
  const end = (code: number): never => {
    host.log.flush();
    process.exit(code);
  };
  const endNow = (reason: string): never => {
    logStop(host.log, reason, performance.now() - (stoppingSince ?? performance.now()));
    return end(1);
  };
  const stop = async (grace: number, reason: string) => {
    if (stoppingSince !== undefined) endNow(`${reason}, the second signal`);
    stoppingSince = performance.now();
    await host.stop(grace, reason).catch((error) => {
      report(error);
      endNow('a fault while it stopped');
    });
    end(0);
  };
  let last: { signal: NodeJS.Signals; at: number } | undefined;
  const isEcho = (signal: NodeJS.Signals) => {
    const at = performance.now();
    if (last?.signal === signal && at - last.at < echoMs) return true;
    last = { signal, at };
    return false;
  };
  process.on('SIGTERM', (signal) => {
    if (!isEcho(signal)) void stop(graceSeconds, 'SIGTERM');
  });
  process.on('SIGINT', (signal) => {
    if (!isEcho(signal)) void stop(0, explainInterrupt());
  });
  host.ended?.then((reason) => {
    if (stoppingSince === undefined) void stop(0, reason);
  });
  process.on('uncaughtException', (error) => {
    process.stderr.write(formatFault(error, table.redactor));
    endNow('a fault, which is on stderr');
  });
}

/** Plans how a host starts. With --stdio the log and other lines go to stderr, because the client reads stdout. */
function planStart({ isStdio, tools }: Pick<HostCommand, 'isStdio' | 'tools'>): Start {
  const { stdin, stdout, stderr, env } = process;
  if (!isStdio)
    return { variables: env, transports: { http: true, log: stdout }, print: (line) => console.log(line) };
  const stdio = { input: stdin, output: stdout, tools };
  const transports = { http: hasListenSetting(env), stdio, log: stderr };
  return { variables: addStdioDefaults(env), transports, print: (line) => console.error(line) };
}

async function start(plan: Start): Promise<void> {
  // Only this user may read the stored data: files are 0600, folders 0700.
  process.umask(0o077);
  const { variables, transports, print } = plan;
  const env = limitConnections(readSettings(variables), print);
  for (const near of findNearSettings(variables, Object.keys(Environment.entries)))
    warn(explainNearSetting(near));
  const table = describeTable(operations);
  const writeFault = createFaultReport(table.redactor);
  let host: Host | undefined;
  const report: FaultReport = (error, call) => {
    writeFault(error, call);
    if (!(error instanceof BuildReplaced)) return;
    if (host) logStop(host.log, 'another build was copied over its files', 0);
    host?.log.flush();
    process.exit(1);
  };
  host = await openHost(import.meta.dirname, env, transports, { table, report });
  const draft = env.STORE_URL ? undefined : describeLeftDraft(env.DATA_DIR);
  if (draft) warn(draft);
  // Without HTTP, no balancer has to notice the stop.
  stopHost(host, transports.stdio ? 0 : env.GRACE_SECONDS, { table, report });
  announce(host, env, plan);
  logStart(host, env, plan);
  await host.prepare();
}

/** Returns the version, and the commit if the build knows it. */
function formatVersion(): string {
  const file = join(import.meta.dirname, 'catalogue.json');
  const commit = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).commit : 'unknown';
  return `${service.title} ${service.version}, commit ${commit}, Node ${process.versions.node}`;
}

async function check({ variables }: Start): Promise<never> {
  const { text, wouldStart } = await checkStart(variables);
  console.log(`${formatVersion()}\n\n${text}`);
  process.exit(wouldStart ? 0 : 1);
}

/** Runs the command line of the host. `start` goes on until a signal; all others end the process. */
export async function run(args: string[]): Promise<void> {
  try {
    const command = readHostCommand(args);
    const plan = planStart(command);
    if (command.name === 'start') return await start(plan);
    if (command.name === 'check') return await check(plan);
    console.log(command.name === 'help' ? hostUsage : formatVersion());
    process.exit(0);
  } catch (error) {
    const isMistake = error instanceof CommandLineError;
    console.error(isMistake ? `${error.message}\n\n${hostUsage}` : (error as Error).message);
    process.exit(isMistake ? 2 : 1);
  }
}
