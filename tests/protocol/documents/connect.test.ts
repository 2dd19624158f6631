import { execFile } from 'node:child_process';
import { readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { makeFolder, useServer } from '../../support/server.ts';
import { startStdio } from '../../support/stdio.ts';
import { has } from '../../support/tools.ts';

const connect = suite('how to connect');
const run = promisify(execFile);
const root = join(import.meta.dirname, '..', '..', '..');
const { origin } = await useServer();
const read = async (path: string) => (await fetch(origin + path)).text();

/** Returns the text of each code block, with the origin that the script of the page fills in. */
function toPageBlocks(html: string): string[] {
  const names: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };
  return [...html.matchAll(/<pre[^>]*>(.*?)<\/pre>/gs)].map(([, block]) =>
    block!
      .replace(/<span data-origin>ORIGIN<\/span>/g, origin)
      .replace(/<[^>]+>/g, '')
      .replace(/&(amp|lt|gt|quot|#39);/g, (_, name) => names[name]!)
      .trimEnd(),
  );
}

const toBlocks = (markdown: string) =>
  [...markdown.matchAll(/^```(\w+)\n(.*?)\n```$/gms)].map(([, language, text]) => ({
    language: language!,
    text: text!,
  }));

/** Lists the tools at an address with the official client, or calls one. */
async function withClient<T>(address: string, use: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ name: 'test', version: '1.0.0' });
  await client.connect(new StreamableHTTPClientTransport(new URL(address)));
  try {
    return await use(client);
  } finally {
    await client.close();
  }
}
async function assertAnswersMcp(address: string): Promise<void> {
  const { tools } = await withClient(address, (client) => client.listTools());
  assert.ok(
    tools.some(({ name }) => name === 'createCandidate'),
    address,
  );
}

const standInName = 'careers-placement-service-0.1.0.tgz';

/** Makes a folder with a package that stands in for ours: its command runs the built host. Packing ours takes minutes. */
async function packStandIn(): Promise<string> {
  const folder = makeFolder();
  const { name, version, bin } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  assert.is(standInName, `${name}-${version}.tgz`);
  const [command] = Object.keys(bin);
  const hostCommand = JSON.stringify([process.execPath, join(root, 'dist', 'host', 'main.mjs')]);
  const lines = [
    '#!/usr/bin/env node',
    `const [node, host] = ${hostCommand};`,
    "const options = { stdio: 'inherit' };",
    "const { status } = require('child_process').spawnSync(node, [host, ...process.argv.slice(2)], options);",
    'process.exit(status);',
  ];
  writeFileSync(join(folder, 'run.cjs'), lines.join('\n'));
  writeFileSync(
    join(folder, 'package.json'),
    JSON.stringify({ name, version, bin: { [command!]: 'run.cjs' } }),
  );
  await run('npm', ['pack', '--silent'], { cwd: folder });
  return folder;
}
const standIn = packStandIn();

const npmSettings = { npm_config_update_notifier: 'false', npm_config_audit: 'false' };

/** Starts the package over stdio with the command of an entry, as it is written. */
async function assertStartsOverStdio({ command, args }: { command: string; args: string[] }): Promise<void> {
  const folder = await standIn;
  const there = args.map((text) => text.replace('/PATH/TO', folder));
  assert.ok(there.some((text) => text.includes(folder)));
  const host = startStdio({ command: [command, ...there], env: { PORT: '0', ...npmSettings } });
  assert.ok((await host.ask('tools/list')).result.tools.length > 0);
  assert.is(await host.end(), 0);
}

const tries: Record<string, (text: string) => Promise<unknown>> = {
  text: assertAnswersMcp,
  async json(text) {
    const entries = Object.values<object>(JSON.parse(text)).flatMap(Object.entries);
    assert.equal(
      entries.map(([name]) => name),
      ['careers-placement'],
    );
    const [, entry] = entries[0]!;
    if (entry.args?.includes('--stdio')) return assertStartsOverStdio(entry);
    await assertAnswersMcp(/"(https?:[^"]+)"/.exec(text)![1]!);
  },
  async js(text) {
    const cwd = makeFolder();
    symlinkSync(join(root, 'node_modules'), join(cwd, 'node_modules'));
    writeFileSync(join(cwd, 'agent.mjs'), text);
    const { stdout } = await run(process.execPath, ['agent.mjs'], { cwd });
    assert.match(stdout, /type: 'OK'/, text);
  },
  async python(text) {
    if (has('python3')) await run('python3', ['-c', 'import ast, sys; ast.parse(sys.argv[1])', text]);
    const [, address] = /Client\("(.+?)"\)/.exec(text)!;
    const [, name, args] = /call_tool\("(\w+)", (\{.*?\})\)/.exec(text)!;
    const answer = await withClient(address!, (client) =>
      client.callTool({ name: name!, arguments: JSON.parse(args!) }),
    );
    assert.is((answer.structuredContent as { type: string }).type, 'OK');
  },
  async sh(text) {
    const [, address] =
      /^(?:claude mcp add --transport http|devin mcp add -s user) [\w-]+ (\S+)$/.exec(text) ?? [];
    if (address) return assertAnswersMcp(address);
    if (!has('curl')) return;
    for (const line of text.split('\n')) {
      const { stdout } = await run('sh', ['-c', `${line} --silent --fail`]);
      const answer = JSON.parse(stdout);
      assert.ok(answer.type === 'OK' || answer.result, line);
    }
  },
};

connect('every block of the guide works when it is copied', async () => {
  const blocks = toBlocks(await read('/guides/connecting.md'));
  assert.equal([...new Set(blocks.map(({ language }) => language))].sort(), Object.keys(tries).sort());
  for (const { language, text } of blocks) await tries[language]!(text);
});

connect('every line that starts the package runs as it is printed', async () => {
  const guides = join(root, 'content', 'guides');
  const files = [join(root, 'README.md'), ...readdirSync(guides).map((name) => join(guides, name))];
  const lines = files.flatMap((file) => readFileSync(file, 'utf8').match(/npx [^`\n]*\.tgz[^`\n]*/g) ?? []);
  assert.ok(lines.length > 1);
  const cwd = await standIn;
  for (const line of lines) {
    // A home of its own, because npm does not ask about a package that it has.
    const env = { ...process.env, ...npmSettings, HOME: makeFolder() };
    const { stdout } = await run('sh', ['-c', `${line} --version </dev/null`], { cwd, env });
    assert.match(stdout, /, Node 26/, line);
    assert.match(line, / -y /, 'npm asks nobody');
  }
});

/** What the documentation of each client calls the address, and what else it requires. */
const entries: Record<string, object> = {
  Cursor: { url: `${origin}/mcp` },
  'VS Code': { type: 'http', url: `${origin}/mcp` },
  'Gemini CLI': { httpUrl: `${origin}/mcp` },
  Windsurf: { serverUrl: `${origin}/mcp` },
};

for (const [client, entry] of Object.entries(entries))
  connect(`the block for ${client} has the keys that its documentation asks for`, async () => {
    const guide = await read('/guides/connecting.md');
    const section = guide.split(`## ${client}\n`)[1]!.split('\n## ')[0]!;
    const [block] = toBlocks(section).filter(({ language }) => language === 'json');
    const { mcpServers, servers } = JSON.parse(block!.text);
    assert.equal((mcpServers ?? servers)['careers-placement'], entry);
  });

connect('pages, llms.txt and README show the same blocks, or link to them', async () => {
  const texts = toBlocks(await read('/guides/connecting.md')).map(({ text }) => text);
  assert.equal(toPageBlocks(await read('/guides/connecting.html')), texts);
  const there = toPageBlocks(await read('/api.html'));
  for (const text of texts) assert.ok(there.includes(text), `/api.html has\n${text}`);
  const llms = await read('/llms.txt');
  assert.ok(llms.includes(`${origin}/mcp`) && llms.includes('/guides/connecting.md'), llms);
  const local = texts.map((text) => text.replaceAll(origin, 'http://localhost:4321'));
  const readme = toBlocks(readFileSync(join(root, 'README.md'), 'utf8')).map(({ text }) => text);
  for (const client of [/^claude mcp add/, /"mcpServers".*"url"/s])
    assert.ok(readme.includes(local.find((text) => client.test(text))!), `README.md has ${client}`);
});

connect('the tabs of the home page have the blocks of the guide', async () => {
  const guide = await read('/guides/connecting.md');
  const clients = ['Claude Code', 'Cursor', 'VS Code', 'TypeScript', 'Python', 'curl'];
  const texts = clients.flatMap((client) => {
    const section = guide.split(`\n## ${client}\n`)[1]!.split('\n## ')[0]!;
    return toBlocks(section).map(({ text }) => text);
  });
  const [, tabs] = (await read('/index.html')).split('data-tabs');
  const [, ...panels] = tabs!.split('class="tab-panel');
  assert.equal(panels.slice(0, clients.length).flatMap(toPageBlocks).slice(0, texts.length), texts);
});

connect.run();
