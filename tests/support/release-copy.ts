import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { makeFolder } from './server.ts';

const root = join(import.meta.dirname, '..', '..');

/** Lists the files that git tracks or would add. Outside a checkout, all files that are not output. */
function listSourceFiles(): string[] {
  const list = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
  const { status, stdout } = spawnSync('git', list, { cwd: root, encoding: 'utf8' });
  const output = /(^|\/)(\.git|node_modules|dist|\.data|\.astro|\.release)(\/|$)/;
  const names =
    status === 0
      ? stdout.split('\0').filter((name) => name !== '')
      : readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((name) => !output.test(name));
  return names.filter((name) => existsSync(join(root, name)) && statSync(join(root, name)).isFile());
}

/** A repository of its own with the files of this one, in one commit. */
interface ReleaseCopy {
  folder: string;
  /** Runs git, and returns what it prints. */
  git(...args: string[]): string;
  /** Runs `npm run release` with these arguments. */
  release(...args: string[]): { code: number | null; output: string };
  read(file: string): string;
  write(file: string, text: string): void;
  /** Puts lines in place of the first section of CHANGELOG.md, and commits them. */
  writeChanges(section: string): void;
}

/** Copies the files that `isWanted` accepts into a repository of its own. */
export function copyForRelease(isWanted = (_name: string) => true): ReleaseCopy {
  // On the disk, because the packages of the project need much room.
  const folder = makeFolder(tmpdir());
  for (const name of listSourceFiles().filter(isWanted)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    cpSync(join(root, name), join(folder, name));
  }
  const run = (program: string, args: string[]) => {
    const names = { GIT_AUTHOR_NAME: 'A', GIT_AUTHOR_EMAIL: 'a@example.com' };
    const env = { ...process.env, ...names, GIT_COMMITTER_NAME: 'A', GIT_COMMITTER_EMAIL: 'a@example.com' };
    return spawnSync(program, args, { cwd: folder, env, encoding: 'utf8' });
  };
  const copy: ReleaseCopy = {
    folder,
    git(...args) {
      const { status, stdout, stderr } = run('git', args);
      if (status !== 0) throw new Error(`git ${args.join(' ')}: ${stderr}`);
      return stdout.trimEnd();
    },
    release(...args) {
      const { status, stdout, stderr } = run(process.execPath, ['scripts/release.ts', ...args]);
      return { code: status, output: stdout + stderr };
    },
    read: (file) => readFileSync(join(folder, file), 'utf8'),
    write: (file, text) => writeFileSync(join(folder, file), text),
    writeChanges(section) {
      const [preamble, , ...older] = copy.read('CHANGELOG.md').split(/^(?=## )/m);
      copy.write('CHANGELOG.md', [preamble, section, ...older].join(''));
      copy.git('commit', '--quiet', '--all', '--message', 'changelog: name what changed');
    },
  };
  copy.git('init', '--quiet');
  copy.git('add', '--all');
  copy.git('commit', '--quiet', '--message', 'all: begin');
  return copy;
}
