import { join } from 'node:path';
import { Writable } from 'node:stream';
import type { Test } from 'uvu';
import { describeTable } from '../../src/hosts/node/describe-table.ts';
import { openHost } from '../../src/hosts/node/host.ts';
import { formatFault } from '../../src/hosts/node/log.ts';
import { readSettings } from '../../src/hosts/node/settings.ts';
import { operations } from '../../src/table.ts';
import { makeFolder, type RunningServer } from './server.ts';

const build = join(import.meta.dirname, '..', '..', 'dist', 'host');
const table = describeTable(operations);

/** The Node host in this process, which listens like the built one. */
export interface OpenedHost extends Pick<RunningServer, 'origin' | 'port' | 'dataDir'> {
  /** Its log and its faults. Warnings go to stderr. */
  output(): string;
  /** Stops after a grace, which is none if it is not given. */
  stop(graceSeconds?: number): Promise<void>;
}

/**
 * Opens the Node host in this process, over the files of the build, with an empty data folder unless `DATA_DIR` is given.
 * It costs a tenth of a start, because nothing is loaded again or warmed up. So it is never ready (/readyz), and it has
 * no signals and no lines of a start: a test of these needs `startServer`.
 */
export async function openServer(env: Record<string, string> = {}): Promise<OpenedHost> {
  const settings = readSettings({ PORT: '0', ...env, DATA_DIR: env.DATA_DIR ?? makeFolder() });
  let printed = '';
  const log = new Writable({
    write(chunk, _encoding, done) {
      printed += chunk;
      done();
    },
  });
  const report = (error: unknown) => {
    printed += formatFault(error, table.redactor);
  };
  const host = await openHost(build, settings, { http: true, log }, { table, report });
  let stopped: Promise<void> | undefined;
  return {
    origin: `http://localhost:${host.port}`,
    port: host.port,
    dataDir: settings.DATA_DIR,
    output: () => printed,
    stop(graceSeconds = 0) {
      stopped ??= host.stop(graceSeconds, 'the test has ended');
      return stopped;
    },
  };
}

/** Opens a host for the tests of a suite, and stops it after them. */
export async function openFor(suite: Test, env: Record<string, string> = {}): Promise<OpenedHost> {
  const host = await openServer(env);
  suite.after(() => host.stop());
  return host;
}

/** Runs `use` with a new host in this process, and stops the host in any case. Returns its output. */
export async function withOpenServer(
  env: Record<string, string>,
  use: (host: OpenedHost) => Promise<unknown>,
): Promise<string> {
  const host = await openServer(env);
  try {
    await use(host);
  } finally {
    await host.stop();
  }
  return host.output();
}
