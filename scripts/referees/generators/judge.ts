import { spawnSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { installReferees } from '../install.ts';
import type { Finding, Verdict } from '../verdict.ts';

const modules = join(import.meta.dirname, 'node_modules');

/** Each generator: its program and arguments, and the files that it writes. */
const generators: Record<string, { args: string[]; files: string[] }> = {
  'openapi-typescript': {
    args: ['openapi-typescript/bin/cli.js', 'openapi.json', '-o', 'contract.ts'],
    files: ['contract.ts'],
  },
  'hey-api': {
    args: ['@hey-api/openapi-ts/bin/run.js', '-i', 'openapi.json', '-o', 'hey-api', '--no-log-file'],
    files: ['hey-api/index.ts', 'hey-api/client/index.ts'],
  },
  orval: {
    args: [
      'orval/dist/bin/orval.mjs',
      '--input',
      'openapi.json',
      '--output',
      'orval.ts',
      '--client',
      'fetch',
    ],
    files: ['orval.ts'],
  },
  'swagger-typescript-api': {
    args: [
      'swagger-typescript-api/dist/cli.mjs',
      'generate',
      '-p',
      'openapi.json',
      '-o',
      'swagger',
      '-n',
      'api.ts',
    ],
    files: ['swagger/api.ts'],
  },
  'openapi-zod-client': {
    args: ['openapi-zod-client/bin.js', 'openapi.json', '-o', 'zod.ts'],
    files: ['zod.ts'],
  },
};

const options = [
  ...['--noEmit', '--strict', '--skipLibCheck', '--module', 'preserve', '--moduleResolution', 'bundler'],
  ...['--target', 'es2024', '--lib', 'es2024,dom,dom.iterable'],
];

/** Runs a program of a package in a folder. Returns what it printed if it failed. */
function run(program: string, args: string[], cwd: string): string | undefined {
  const started = spawnSync(process.execPath, [join(modules, program), ...args], { cwd, encoding: 'utf8' });
  return started.status === 0 ? undefined : `${started.stdout}${started.stderr}`.slice(0, 500);
}

/** Calls the service with the client that orval wrote into a folder. Returns what it printed if that failed. */
function runCalls(folder: string, origin: string): string | undefined {
  const args = [join(import.meta.dirname, 'calls.ts'), folder, origin];
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', timeout: 60_000 });
  return status === 0 ? undefined : stderr.slice(0, 500);
}

/**
 * Has each generator write a client from the contract, checks the types of what it wrote, and calls the service with one
 * of the clients.
 */
export async function judgeGenerators(origin: string, folder: string): Promise<Verdict> {
  installReferees('generators');
  const place = join(folder, 'generated');
  mkdirSync(place);
  writeFileSync(join(place, 'openapi.json'), await (await fetch(`${origin}/openapi.json`)).text());
  symlinkSync(modules, join(place, 'node_modules'), 'junction');

  const findings: Finding[] = [];
  for (const [
    name,
    {
      args: [program = '', ...args],
      files,
    },
  ] of Object.entries(generators)) {
    const failed = run(program, args, place);
    const wrong = failed ?? run('typescript/bin/tsc', [...options, ...files], place);
    if (wrong) findings.push({ rule: failed ? 'generate' : 'types', where: name, message: wrong });
  }
  const refused = runCalls(place, origin);
  if (refused) findings.push({ rule: 'call', where: 'orval', message: refused });
  return { findings };
}
