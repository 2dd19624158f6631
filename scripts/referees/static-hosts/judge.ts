import { once } from 'node:events';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { findPort, makeFolder } from '../../../tests/support/server.ts';
import { findFault, type Loss, questions } from '../../../tests/support/static-documents.ts';
import { startProcess } from '../../../tests/support/static-host.ts';
import { installReferees } from '../install.ts';
import type { Finding, Verdict } from '../verdict.ts';

const dist = join(import.meta.dirname, '..', '..', '..', 'dist');
const referees = join(import.meta.dirname, '..');

/** An emulator of a static host. It serves a copy of dist/client. */
interface Emulator {
  /** The folder of its packages, beside this one. */
  part: string;
  /** The path of its program in node_modules, and its arguments. */
  program: string;
  listArguments(folder: string, port: number): string[];
  /** What the host cannot do, by path. */
  losses: Record<string, Loss>;
}

const wrangler: Emulator = {
  part: 'static-hosts',
  program: 'wrangler/bin/wrangler.js',
  listArguments: (folder, port) => [
    ...['pages', 'dev', folder, '--ip', '127.0.0.1', '--port', String(port)],
    ...['--inspector-port', '0', '--compatibility-date', '2026-11-01'],
  ],
  losses: {},
};

async function judge(name: string, emulator: Emulator): Promise<Finding[]> {
  const { part, program, listArguments, losses } = emulator;
  installReferees(part);
  const modules = join(referees, part, 'node_modules');
  const [home, folder, port] = [makeFolder(), makeFolder(), await findPort()];
  cpSync(join(dist, 'client'), folder, { recursive: true });
  const environment = [
    ...[`HOME=${home}`, 'CI=1', 'WRANGLER_SEND_METRICS=false'],
    `PATH=${join(modules, '.bin')}:${process.env.PATH}`,
  ];
  const args = [...environment, process.execPath, join(modules, program), ...listArguments(folder, port)];
  const origin = `http://127.0.0.1:${port}`;
  const child = await startProcess('env', args, home, origin);
  const findings: Finding[] = [];
  try {
    for (const question of questions) {
      const fault = await findFault(origin, question, losses[question.path]);
      if (fault) findings.push({ rule: name, where: question.path, message: fault });
    }
  } finally {
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    await ended;
  }
  return findings;
}

export async function judgeStaticHosts(): Promise<Verdict> {
  return { findings: await judge('wrangler', wrangler) };
}
