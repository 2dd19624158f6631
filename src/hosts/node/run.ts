import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import service from '../../../content/service.json' with { type: 'json' };
import { checkStart, explainNoName } from './check.ts';
import { CommandLineError } from './command-line.ts';
import { describeStore, pickChangedSettings } from './describe-settings.ts';
import { BuildReplaced } from './frozen.ts';
import { type Host, logStop, openHost } from './host.ts';
import { hostUsage, readHostCommand } from './host-command.ts';
import { createFaultReport, type FaultReport, formatFault, warn } from './log.ts';
import { explainNearSetting, findNearSettings } from './near-settings.ts';
import { Environment, isPublicWithoutName, type NodeSettings, readSettings } from './settings.ts';

function announce({ origin, keyPlace, storage }: Host, settings: NodeSettings): void {
  const pages = ['/', '/llms.txt', '/openapi.json', '/.well-known/agents.json', '/pricing', '/candidates'];
  console.log(`Careers Placement Service on ${origin}`);
  for (const page of pages) console.log(`  ${origin}${page}`);
  console.log(`MCP clients: ${origin}/mcp`);
  if (settings.LISTEN) console.log(`Listening on ${settings.LISTEN}`);
  if (isPublicWithoutName(settings)) console.log(explainNoName);
  console.log(`Signing key: ${keyPlace}`);
  const lack = storage.lack();
  if (lack) console.log(`The store is full, so nothing can be added until there is room: ${lack}`);
}

/** Logs the start: what runs, where, and with which settings. Secrets are left out. */
function logStart({ origin, port, version, commit, storage, log }: Host, settings: NodeSettings): void {
  log.event('start', {
    version,
    commit,
    node: process.versions.node,
    pid: process.pid,
    address: origin,
    listen: settings.LISTEN || `${settings.HOST || '*'}:${port}`,
    store: describeStore(settings),
    roomBytes: storage.room(),
    settings: pickChangedSettings(process.env),
  });
}

/** File descriptors that this process needs besides its connections: files, the store, the listening socket. */
const ownDescriptors = 64;
const limitsFile = '/proc/self/limits';

/** Limits MAX_CONNECTIONS to the file descriptors of this process, and says so if it is lower than set. */
function withinDescriptors(settings: NodeSettings): NodeSettings {
  // Only Linux has this file.
  const text = existsSync(limitsFile) ? readFileSync(limitsFile, 'utf8') : '';
  const [, limit] = /^Max open files +(\d+)/m.exec(text) ?? [];
  const most = limit === undefined ? settings.MAX_CONNECTIONS : Math.max(1, Number(limit) - ownDescriptors);
  if (settings.MAX_CONNECTIONS <= most) return settings;
  console.log(
    `MAX_CONNECTIONS is ${settings.MAX_CONNECTIONS}, but ulimit -n is ${limit}: at most ${most} connections are taken. Raise ulimit -n, or lower MAX_CONNECTIONS.`,
  );
  return { ...settings, MAX_CONNECTIONS: most };
}

/** Why a host got SIGINT. It gets one of its own if the process that started it, such as npm, has ended. */
const explainInterrupt = () =>
  process.connected === false ? 'the process that started it has ended' : 'SIGINT';

/** Stops a host on SIGTERM and SIGINT, and ends the process. A second signal ends it at once. */
function stopOnSignals(host: Host, graceSeconds: number, report: FaultReport): void {
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
  process.on('SIGTERM', () => stop(graceSeconds, 'SIGTERM'));
  process.on('SIGINT', () => stop(0, explainInterrupt()));
  process.on('uncaughtException', (error) => {
    process.stderr.write(formatFault(error));
    endNow('a fault, which is on stderr');
  });
}

async function start(): Promise<void> {
  // Only this user may read the stored data: files are 0600, folders 0700.
  process.umask(0o077);
  const env = withinDescriptors(readSettings(process.env));
  for (const near of findNearSettings(process.env, Object.keys(Environment.entries)))
    warn(explainNearSetting(near));
  const writeFault = createFaultReport();
  let host: Host | undefined;
  const report: FaultReport = (error, call) => {
    writeFault(error, call);
    if (!(error instanceof BuildReplaced)) return;
    if (host) logStop(host.log, 'another build was copied over its files', 0);
    host?.log.flush();
    process.exit(1);
  };
  host = await openHost(import.meta.dirname, env, report);
  stopOnSignals(host, env.GRACE_SECONDS, report);
  announce(host, env);
  logStart(host, env);
  await host.prepare();
}

/** Returns the version, and the commit if the build knows it. */
function formatVersion(): string {
  const file = join(import.meta.dirname, 'catalogue.json');
  const commit = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).commit : 'unknown';
  return `${service.title} ${service.version}, commit ${commit}, Node ${process.versions.node}`;
}

async function check(): Promise<never> {
  const { text, isRight } = await checkStart(process.env);
  console.log(`${formatVersion()}\n\n${text}`);
  process.exit(isRight ? 0 : 1);
}

/** Runs the command line of the host. `start` goes on until a signal; all others end the process. */
export async function run(args: string[]): Promise<void> {
  try {
    const command = readHostCommand(args);
    if (command === 'start') return await start();
    if (command === 'check') return await check();
    console.log(command === 'help' ? hostUsage : formatVersion());
    process.exit(0);
  } catch (error) {
    const isMistake = error instanceof CommandLineError;
    console.error(isMistake ? `${error.message}\n\n${hostUsage}` : (error as Error).message);
    process.exit(isMistake ? 2 : 1);
  }
}
