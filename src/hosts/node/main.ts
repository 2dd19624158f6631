import { existsSync, readFileSync } from 'node:fs';
import { BuildReplaced } from './frozen.ts';
import { type Host, openHost } from './host.ts';
import { createFaultReport, type FaultReport, formatFault } from './log.ts';
import { type NodeSettings, readSettings } from './settings.ts';

function announce({ origin, keyPlace }: Host, { LISTEN, HOST, BASE_URL }: NodeSettings): void {
  const pages = ['/', '/llms.txt', '/openapi.json', '/.well-known/agents.json', '/pricing', '/candidates'];
  console.log(`Careers Placement Service on ${origin}`);
  for (const page of pages) console.log(`  ${origin}${page}`);
  console.log(`MCP clients: ${origin}/mcp`);
  if (LISTEN) console.log(`Listening on ${LISTEN}`);
  if (!BASE_URL && (LISTEN || !/^(localhost|127\.|::1$)/.test(HOST)))
    console.log(
      'BASE_URL is not set, so /mcp answers 403 on every name but localhost. Set it to the address that clients use, such as https://careers.example.',
    );
  console.log(`Signing key: ${keyPlace}`);
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

/** Stops a host on SIGTERM and SIGINT, and ends the process. A second signal ends it at once. */
function stopOnSignals(host: Host, graceSeconds: number, report: FaultReport): void {
  let isStopping = false;
  const end = (code: number): never => {
    host.log.flush();
    process.exit(code);
  };
  const stop = async (grace: number) => {
    if (isStopping) end(1);
    isStopping = true;
    await host.stop(grace).catch((error) => {
      report(error);
      end(1);
    });
    end(0);
  };
  process.on('SIGTERM', () => stop(graceSeconds));
  process.on('SIGINT', () => stop(0));
  process.on('uncaughtException', (error) => {
    process.stderr.write(formatFault(error));
    end(1);
  });
}

async function main(): Promise<void> {
  // Only this user may read the stored data: files are 0600, folders 0700.
  process.umask(0o077);
  const env = withinDescriptors(readSettings(process.env));
  const writeFault = createFaultReport();
  let host: Host | undefined;
  const report: FaultReport = (error, call) => {
    writeFault(error, call);
    if (!(error instanceof BuildReplaced)) return;
    host?.log.flush();
    process.exit(1);
  };
  host = await openHost(import.meta.dirname, env, report);
  stopOnSignals(host, env.GRACE_SECONDS, report);
  announce(host, env);
  await host.prepare();
}

main().catch((error: Error) => {
  console.error(error.message);
  process.exit(1);
});
