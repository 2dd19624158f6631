import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Manifest } from '../../../src/kernel/freeze.ts';
import { useServer } from '../../support/server.ts';

const placeholders = suite('placeholders of addresses');
const { origin } = await useServer();
const dist = join(import.meta.dirname, '..', '..', '..', 'dist');
const manifest: Manifest = JSON.parse(readFileSync(join(dist, 'host', 'manifest.json'), 'utf8'));
const isOneOfMany = /^\/(occupations|candidates|job-orders|placements)\/(?!15-1252|cand_001|job_001|plc_001)/;
const isBinary = /\.(bin|png|ico|svg)$|^\/(_astro|worker)\//;
const paths = Object.keys(manifest.addresses).filter(
  (path) => !isOneOfMany.test(path) && !isBinary.test(path),
);

/** Lists the characters before and after each place of a text where an address was filled in. */
function* listNeighbours(text: string, address: string): Generator<string> {
  for (let at = text.indexOf(address); at >= 0; at = text.indexOf(address, at + 1))
    yield text.charAt(at - 1) + text.charAt(at + address.length);
}

placeholders('an address never touches a letter, a digit or an underscore', async () => {
  assert.ok(paths.length > 60, String(paths.length));
  for (const path of paths) {
    const text = await (await fetch(origin + path)).text();
    for (const address of [origin, '<span data-origin>ORIGIN</span>'])
      for (const around of listNeighbours(text, address))
        assert.not.match(around, /\w/, `${path}: ${around}`);
  }
});

placeholders('a setting whose name holds the placeholder keeps its name', async () => {
  for (const path of ['/guides/settings.md', '/guides/tls.md', '/guides/tls.html'])
    assert.match(await (await fetch(origin + path)).text(), /\bALLOWED_ORIGINS\b/, path);
});

placeholders('the guides have no placeholder left', async () => {
  for (const path of paths.filter((one) => /^\/guides\/.*\.md$|^\/llms/.test(one)))
    assert.not.match(await (await fetch(origin + path)).text(), /\bORIGIN\b/, path);
});

placeholders.run();
