import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { skillPath } from '../../../../src/documents/skill.ts';
import { listRules } from '../../../../src/hosts/build/deploy.ts';
import { findAddressHeaders, type Manifest } from '../../../../src/kernel/freeze.ts';
import { preview } from '../../../../src/kernel/service.ts';
import { operations } from '../../../../src/table.ts';
import type { Body } from '../../../support/http.ts';
import { readStaticHeaders } from '../../../support/static-host.ts';

const root = join(import.meta.dirname, '..', '..', '..', '..');
const dist = join(root, 'dist');
const manifest: Manifest = JSON.parse(readFileSync(join(dist, 'host', 'manifest.json'), 'utf8'));
const still = suite('a build for static hosts');

const toModule = (name: string) =>
  JSON.stringify(pathToFileURL(join(root, 'src', 'hosts', 'build', name)).href);

/** Documents for callers that cannot read the card. */
const readers = ['/index.md', '/openapi.json', '/mcp/server-card', skillPath];

const frozen = ['/.well-known/agents.json', '/llms.txt', '/index.json', '/icp.json', ...readers];

/** Returns what the build freezes at these paths. It runs in a process of its own. */
async function freeze(isStatic: boolean): Promise<string[]> {
  const program = `
    const { buildService } = await import(${toModule('build-service.ts')});
    const { createAnswer } = await import(${toModule('../../kernel/answer.ts')});
    const { replay } = await import(${toModule('../../kernel/freeze.ts')});
    const answer = createAnswer(buildService());
    const bodies = [];
    for (const path of ${JSON.stringify(frozen)}) bodies.push((await replay(answer, path)).body);
    console.log(JSON.stringify(bodies));`;
  const env = { ...process.env, STATIC_ONLY: isStatic ? '1' : '0' };
  const options = { cwd: root, env, maxBuffer: 10_000_000 };
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--input-type=module', '--eval', program],
    options,
  );
  return JSON.parse(stdout);
}
const both = new Map([true, false].map((live) => [live, freeze(!live)]));

for (const live of [true, false]) {
  still(`says which operations ${live ? 'work at a live service' : 'are closed'}`, async () => {
    const [card = '', llms = '', home = '', icp = '', ...others] = await both.get(live)!;
    const { interfaces } = JSON.parse(card);
    const doors = [...Object.values<Body>(interfaces.http), interfaces.mcp].filter((door) => 'live' in door);
    assert.ok(doors.includes(interfaces.mcp), '/mcp is among them');
    assert.ok(doors.length > 1, 'others without a file are among them');
    for (const door of doors) assert.is(door.live, live, door.url);
    assert.is(/creates \(POST\) and \/mcp need the live service/.test(llms), !live);
    assert.is(JSON.parse(home).live, live);
    const { offers } = JSON.parse(card).monetization;
    assert.equal(JSON.parse(icp).ladder, offers, 'both documents have the same ladder');
    for (const rung of offers.filter(({ kind }: Body) => kind !== 'pay')) {
      assert.is(rung.live, live, rung.id);
      assert.is(/static preview/.test(rung.statement), !live);
    }
    for (const text of [llms, ...others]) assert.is(text.includes(preview), !live, text.slice(0, 200));
    assert.ok(Buffer.byteLength(llms) <= 6000);
    assert.is(llms.includes('/pricing.json'), !live);
    for (const text of [llms, others[1]!]) assert.is(text.includes('it ignored the query'), !live);
    assert.is(/12\. .*GET \/work .*POST \/workspace\/claim/.test(llms), live);
  });
}

still('lists the type and headers of every file in _headers once', () => {
  const toHeaders = readStaticHeaders();
  // Hosts read at most 100 blocks, and know the type of .jsonld themselves.
  const files = Object.entries(manifest.files).filter(([name]) => !name.endsWith('.jsonld'));
  for (const [name, { type }] of files) {
    const sent = toHeaders(name);
    assert.is(sent.get('Content-Type'), type, name);
    // The pattern of a record fits the files below it too, and nothing depends on a workspace there.
    if (name.endsWith('/resume.json')) continue;
    for (const [header, value] of Object.entries(findAddressHeaders(manifest, manifest.addresses[name]!))) {
      const isLeftOut = header === 'Link' && /^\/(occupations|guides|briefs)\/./.test(name);
      assert.is(sent.get(header), isLeftOut ? null : value, `${name} ${header}`);
    }
  }
});

still('keeps compressed variants apart from the files for static hosts', () => {
  for (const [name, { slices }] of Object.entries(manifest.files)) {
    const path = join(dist, 'deploy', 'site', name);
    assert.ok(existsSync(path), path);
    assert.is(existsSync(`${path}.gz`), slices.gzip !== undefined, path);
    assert.is(existsSync(`${path}.br`), slices.br !== undefined, path);
    assert.not.ok(existsSync(join(dist, 'client', `${name}.gz`)));
  }
});

still('stops if an address would be served with the wrong type', () => {
  const odd = structuredClone(manifest);
  odd.addresses['/occupations/11-1011.00.json']!.link = 0;
  assert.throws(() => listRules(odd, operations), /is served in a way of its own/);
});

still.run();
