import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { isForOperators } from '../../../src/documents/guides.ts';
import { until } from '../../support/redis.ts';
import { makeFolder } from '../../support/server.ts';
import { has } from '../../support/tools.ts';

const commands = suite('the commands of the guides for operators');
const root = join(import.meta.dirname, '..', '..', '..');
const folder = join(root, 'content', 'guides');

const names = readdirSync(folder)
  .map((file) => file.replace('.md', ''))
  .filter((name) => isForOperators({ name }));

const toBlocks = (text: string) => [...text.matchAll(/^```sh\n(.*?)\n```$/gms)].map(([, block]) => block!);

/** Blocks that this machine cannot run, or that take minutes and have a test of their own. */
const isLeftOut = (block: string) =>
  /^(docker |kubectl |npm pack|npm run (soak|bench|build -- --(static|files)))/m.test(block) ||
  (block.includes('redis-server') && !has('redis-server'));

/** A block that ends in a server, which goes on until the next one is started. */
const isServer = (block: string) => /\b(npm start|main\.mjs|redis-server .*)$/s.test(block);

const isOfRedis = (block: string) => /\bredis-server\b/.test(block);

/** In a network of its own, a block finds the ports that it names. */
const alone = ['unshare', '--net', '--map-root-user'];
const canBeAlone = spawnSync(alone[0]!, [...alone.slice(1), 'ip', 'link', 'set', 'lo', 'up']).status === 0;

/** Makes a folder that looks like the project, in which files can be made and removed. */
function makeProject(): string {
  const project = makeFolder();
  for (const name of readdirSync(root))
    if (!/^\.(git|data)$/.test(name)) symlinkSync(join(root, name), join(project, name));
  const tools = join(project, 'tools');
  mkdirSync(tools);
  // The project is installed and built already.
  const npm = `#!/bin/sh\ncase "$*" in ci | "run build") exit 0 ;; esac\nPATH=$REAL_PATH exec npm "$@"\n`;
  // What belongs to root is below the project.
  const system = join(project, 'system');
  for (const path of ['opt', 'etc/systemd/system']) mkdirSync(join(system, path), { recursive: true });
  const sudo = `#!/bin/bash\n[ "$1" = systemctl ] && exit 0\nexec "\${@/#\\//${system}/}"\n`;
  for (const [name, text] of Object.entries({ npm, sudo })) {
    writeFileSync(join(tools, name), text);
    chmodSync(join(tools, name), 0o755);
  }
  return project;
}

/** A shell in the project that runs blocks one after another, and keeps its variables, as a person's does. */
class Terminal {
  readonly #shell: ChildProcess;
  #printed = '';
  #count = 0;

  constructor(project: string) {
    const path = [dirname(process.execPath), process.env.PATH].join(delimiter);
    const { NODE_COMPILE_CACHE } = process.env;
    const PATH = [join(project, 'tools'), path].join(delimiter);
    const env = { HOME: project, REAL_PATH: path, PATH, NODE_COMPILE_CACHE };
    const [program, ...args] = [...alone, 'sh'];
    this.#shell = spawn(program!, args, {
      cwd: project,
      env,
      stdio: ['pipe', 'pipe', 'pipe'],
      detached: true,
    });
    for (const stream of [this.#shell.stdout!, this.#shell.stderr!])
      stream.on('data', (chunk) => (this.#printed += chunk));
    this.#shell.stdin!.write('ip link set lo up\n');
  }

  /** Runs lines, and returns their exit code and what was printed meanwhile. */
  async run(lines: string): Promise<{ code: number; printed: string }> {
    const before = this.#printed.length;
    this.#count += 1;
    const mark = `end-of-${this.#count}`;
    // What a command prints may end without a line break.
    this.#shell.stdin!.write(`${lines}\nprintf '\\n${mark}: %s\\n' $?\n`);
    const end = new RegExp(`^${mark}: (\\d+)$`, 'm');
    await this.#wait(() => end.test(this.#printed), `the end of ${lines}`);
    return { code: Number(end.exec(this.#printed)![1]), printed: this.#printed.slice(before) };
  }

  /** Starts a block that does not end, and waits until it has printed that it is ready. */
  async start(block: string, isReady: RegExp): Promise<void> {
    const before = this.#printed.length;
    const lines = block.split('\n');
    // A line that continues belongs to the one before.
    let last = lines.length - 1;
    while (lines[last - 1]?.endsWith('\\')) last -= 1;
    const first = lines.slice(0, last).join('\n');
    if (first) {
      const { code, printed } = await this.run(first);
      assert.is(code, 0, `${first}\n${printed}`);
    }
    this.#shell.stdin!.write(`{ ${lines.slice(last).join('\n')}\n} &\n`);
    await until(
      () => isReady.test(this.#printed.slice(before)),
      `${block} is ready:\n${this.#printed}`,
      120_000,
    );
  }

  /** Stops the host that was started last, as a supervisor does. */
  async stopHost(): Promise<void> {
    const pids = [...this.#printed.matchAll(/"event":"start".*?"pid":(\d+)/g)];
    const stopped = this.#printed.split('"event":"stop"').length - 1;
    if (pids.length === stopped) return;
    process.kill(Number(pids.at(-1)![1]), 'SIGINT');
    await until(() => this.#printed.split('"event":"stop"').length - 1 === pids.length, 'the host stops');
  }

  async #wait(is: () => boolean, what: string): Promise<void> {
    await until(is, what).catch(({ message }: Error) => {
      throw new Error(`${message}\n${this.#printed}`);
    });
  }

  async close(): Promise<void> {
    await this.stopHost();
    process.kill(-this.#shell.pid!, 'SIGKILL');
    await once(this.#shell, 'close');
  }
}

const isHostBlock = (block: string) => isServer(block) && !isOfRedis(block);

async function runGuide(name: string): Promise<void> {
  // Pages show the address of the service in its place.
  const text = readFileSync(join(folder, `${name}.md`), 'utf8').replaceAll(
    /\bORIGIN\b/g,
    'http://localhost:4321',
  );
  const blocks = toBlocks(text).filter((one) => !isLeftOut(one));
  if (blocks.length === 0) return;
  const terminal = new Terminal(makeProject());
  try {
    // Those who read the guide run the service already, and stop it for a block that starts one.
    if (!isHostBlock(blocks[0]!)) await terminal.start('npm start', /"event":"start"/);
    for (const block of blocks) {
      const isHost = isHostBlock(block);
      if (isHost || block.startsWith('# The service is stopped.')) await terminal.stopHost();
      if (isHost) await terminal.start(block, /"event":"start"/);
      else if (isServer(block)) await terminal.start(block, /Ready to accept connections/);
      else {
        const { code, printed } = await terminal.run(`(set -e\n${block}\n)`);
        assert.is(code, 0, `${block}\n${printed}`);
      }
    }
  } finally {
    await terminal.close();
  }
}

for (const name of names)
  commands(`of ${name} run as they are written`, async () => {
    if (!canBeAlone)
      return console.log('\nskipped: a network of its own needs unshare and the right to use it');
    await runGuide(name);
  });

commands.run();
