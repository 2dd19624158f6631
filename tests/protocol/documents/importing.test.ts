import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { makeFolder, useServer } from '../../support/server.ts';

const importing = suite('the guide to files in and out');
const root = join(import.meta.dirname, '..', '..', '..');
const { origin } = await useServer();

importing('its commands run as they are printed, and name the service in any way', async () => {
  const text = readFileSync(join(root, 'content', 'guides', 'importing.md'), 'utf8');
  const blocks = [...text.matchAll(/^```sh\n(.*?)\n```$/gms)].map(([, block]) => block!);
  const cwd = makeFolder();
  // npm finds the command of the project from any folder.
  const npm = `npm() { (shift 3; ${process.execPath} ${root}/scripts/import.ts "$@"); }`;
  const run = async (block: string, address: string) => {
    const lines = block.replaceAll(/\bORIGIN\b/g, address);
    const { stdout } = await promisify(execFile)('sh', ['-ec', `${npm}\n${lines}`], { cwd });
    assert.match(stdout, /Ada Example/, lines);
  };
  assert.is(blocks.length, 2);
  for (const block of blocks) await run(block, origin);
  await run(blocks[1]!, origin.replace('http://', ''));
});

importing.run();
