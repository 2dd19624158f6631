import { execFile } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { has } from '../../tests/support/tools.ts';
import { judgeClients } from './clients/judge.ts';
import { judgeGenerators } from './generators/judge.ts';
import { toRefereeFile } from './install.ts';
import { judgePages } from './lighthouse/judge.ts';
import { judgeStaticHosts } from './static-hosts/judge.ts';
import type { Json, Verdict } from './verdict.ts';

const root = join(import.meta.dirname, '..', '..');

/** Runs a program of this machine for at most five minutes. Resolves with its standard output. */
function runProgram(program: string, args: string[]): Promise<string> {
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true', CI: '1' };
  const limits = { timeout: 300_000, killSignal: 'SIGKILL', maxBuffer: Number.POSITIVE_INFINITY } as const;
  return new Promise((resolve, reject) => {
    execFile(program, args, { cwd: root, env, ...limits }, (error, output, errors) => {
      if (!error || output.trim() !== '') resolve(output);
      else reject(new Error(`${program} said nothing (${error.code}): ${errors.slice(0, 500)}`));
    });
  });
}

/** Runs a program of a package that is installed here. */
const runPackage = (program: string, args: string[]): Promise<string> =>
  runProgram(process.execPath, [toRefereeFile(program), ...args]);

const readJson = (text: string): Json => JSON.parse(text.slice(text.search(/[[{]/)));
const redocly = '@redocly/cli/bin/cli.js';

async function saveContract(origin: string, folder: string): Promise<string> {
  const file = join(folder, 'openapi.json');
  writeFileSync(file, await (await fetch(`${origin}/openapi.json`)).text());
  return file;
}

/** Lists the pages to judge. Of the pages of occupations, which are alike, it lists one in a hundred. */
function listPages(): string[] {
  const client = join(root, 'dist', 'client');
  const pages = readdirSync(client, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.html'))
    .sort();
  const alike = pages.filter((name) => name.startsWith('occupations/'));
  const others = pages.filter((name) => !alike.includes(name));
  return [...others, ...alike.filter((_, index) => index % 100 === 0)].map((name) => join(client, name));
}

/** The programs that judge the service from outside. Each gets the origin, and a folder for its own files. */
export const referees: Record<string, (origin: string, folder: string) => Promise<Verdict>> = {
  async 'redocly-lint'(origin, folder) {
    const file = await saveContract(origin, folder);
    const text = await runPackage(redocly, [
      ...['lint', file, '--extends', 'recommended-strict'],
      ...['--format', 'json', '--max-problems', '1000'],
    ]);
    const toFinding = ({ ruleId: rule, message, location }: Json) => {
      return { rule, where: location[0]?.pointer ?? '', message };
    };
    return { findings: readJson(text).problems.map(toFinding) };
  },
  async 'redocly-score'(origin, folder) {
    const file = await saveContract(origin, folder);
    const { agentReadiness } = readJson(await runPackage(redocly, ['score', file, '--format', 'json']));
    return { findings: [], score: agentReadiness };
  },
  async spectral(origin, folder) {
    const file = await saveContract(origin, folder);
    const rules = join(folder, 'spectral.json');
    const owasp = toRefereeFile('@stoplight/spectral-owasp-ruleset/dist/ruleset.js');
    writeFileSync(rules, JSON.stringify({ extends: ['spectral:oas', owasp] }));
    const spectral = '@stoplight/spectral-cli/dist/index.js';
    const text = await runPackage(spectral, ['lint', file, '-r', rules, '-f', 'json']);
    const toFinding = ({ code: rule, path, message }: Json) => ({ rule, where: path.join('/'), message });
    return { findings: readJson(text).map(toFinding) };
  },
  async 'html-validate'(_, folder) {
    const rules = join(folder, 'html-validate.json');
    writeFileSync(rules, JSON.stringify({ root: true, extends: ['html-validate:recommended'] }));
    const program = 'html-validate/bin/html-validate.mjs';
    const report = join(folder, 'html-validate-report.json');
    // The report goes to a file, because standard output would cut a long one.
    await runPackage(program, ['-c', rules, '-f', `text,json=${report}`, ...listPages()]);
    const findings = readJson(readFileSync(report, 'utf8')).flatMap(({ filePath, messages }: Json) =>
      messages.map(({ ruleId, message, selector }: Json) => {
        return { rule: ruleId, where: `${filePath.split('/client/')[1]} ${selector}`, message };
      }),
    );
    return { findings };
  },
  async 'nu-html-checker'() {
    if (!has('java')) return { findings: [], leftOut: 'no java on this machine' };
    const jar = toRefereeFile('vnu-jar/build/dist/vnu.jar');
    const text = await runProgram('java', [
      ...['-jar', jar, '--format', 'json', '--stdout', '--exit-zero-always'],
      ...listPages(),
    ]);
    const findings = readJson(text).messages.map(({ type, subType, message, url }: Json) => {
      // The checker does not name rules, so findings are accepted by their message.
      return { rule: subType ?? type, where: `${url.split('/client/')[1]} ${message}`, message };
    });
    return { findings };
  },
  async 'type-coverage'() {
    const text = await runPackage('type-coverage/bin/type-coverage', [
      ...['-p', 'tsconfig.json'],
      ...['tests/**', 'scripts/**', 'astro.config.mjs'].flatMap((name) => ['--ignore-files', name]),
    ]);
    return { findings: [], score: Number(/([\d.]+)%/.exec(text)?.[1]) };
  },
  async afdocs(origin) {
    const text = await runPackage('afdocs/bin/afdocs.mjs', [
      ...['check', origin, '--format', 'json', '--score', '--quiet'],
      ...['--sampling', 'deterministic', '--request-delay', '0', '--url-path-pattern', 'html'],
    ]);
    const { results, scoring } = readJson(text);
    const findings = results
      .filter(({ status }: Json) => status === 'fail' || status === 'warn')
      .map(({ id, status, message }: Json) => ({ rule: id, where: status, message }));
    return { findings, score: scoring.overall };
  },
  lighthouse(origin) {
    const toPath = (file: string) => file.split('/client')[1]!.replace(/\/index\.html$/, '/');
    return judgePages(origin, listPages().map(toPath));
  },
  clients: judgeClients,
  generators: judgeGenerators,
  'static-hosts': judgeStaticHosts,
};

/** Referees that install their own packages, 180 to 450 MB each. */
export const heavyReferees: readonly string[] = ['lighthouse', 'clients', 'generators', 'static-hosts'];
