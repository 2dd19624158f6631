import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { client } from '../../support/front.ts';

const parts = suite('the API reference and its parts');
const { contract } = client;
const { text: whole } = await client.get('/api.md');

const operations = Object.entries(contract.paths).flatMap(([path, verbs]) =>
  Object.entries(verbs as Record<string, { operationId: string; tags?: string[] }>).map(
    ([verb, operation]) => ({
      heading: `### ${verb.toUpperCase()} ${path}\n${operation.operationId}`,
      tag: operation.tags![0]!,
      verb,
    }),
  ),
);
const tags = [...new Set(operations.map(({ tag }) => tag))];

/** Returns the entry of an operation, without its heading. */
const findEntry = (text: string, heading: string) => text.split(`### ${heading}\n`)[1]?.split('\n#')[0] ?? '';

/** Returns the names of the members that bullets describe. */
const findNames = (text: string) =>
  [...text.matchAll(/^- (\w+)\??(?: \([^)]*\))?:/gm)].map(([, name]) => name!);

const readPart = async (tag: string) => (await client.get(`/api/${tag}.md`)).text;

parts('has a part of at most 8 kB for each tag of the contract', async () => {
  for (const tag of tags) {
    const bytes = Buffer.byteLength(await readPart(tag));
    assert.ok(bytes > 500 && bytes <= 8000, `${tag} has ${bytes} bytes`);
  }
});

parts('has the operations of its tag in a part, and no others', async () => {
  for (const tag of tags) {
    const text = await readPart(tag);
    for (const operation of operations)
      assert.is(text.includes(operation.heading), operation.tag === tag, `${tag}: ${operation.heading}`);
  }
});

parts('explains each filter in the part itself', async () => {
  const names = findNames(findEntry(await readPart('candidates'), 'GET /candidates/{id}/matches'));
  for (const name of ['shift', 'startsBy', 'minScore', 'limit']) assert.ok(names.includes(name), name);
});

parts('serves a part as public Markdown', async () => {
  const { headers } = await client.get('/api/placements.md');
  assert.is(headers.get('content-type'), 'text/markdown; charset=utf-8');
  assert.match(headers.get('cache-control')!, /public/);
});

parts('freezes each part as a file for static hosts', () => {
  const folder = join(import.meta.dirname, '..', '..', '..', 'dist', 'client', 'api');
  for (const tag of tags) assert.match(readFileSync(join(folder, `${tag}.md`), 'utf8'), `# API: ${tag}\n`);
});

parts('names the parts if one is unknown', async () => {
  const { status, body } = await client.get('/api/people.md');
  assert.is(status, 404);
  assert.is(body.type, 'EMPTY');
  for (const tag of tags) assert.match(body.message, new RegExp(`\\b${tag}\\b`));
});

parts('does not take the address of a list below /api for a part', async () => {
  const { status, body } = await client.get('/api/candidates');
  assert.is(status, 404);
  assert.is(body.links.meant, '/candidates');
});

parts('are linked from llms.txt', async () => {
  const { text: llms } = await client.get('/llms.txt');
  for (const tag of tags) assert.ok(llms.includes(`(/api/${tag}.md)`), tag);
});

parts('are named in the whole reference, with their address', () => {
  const [, names = ''] = /parts are at \/api\/PART\.md: (.*)\.\n/.exec(whole)!;
  assert.equal(names.split(', ').toSorted(), [...tags].toSorted());
});

parts('has each shared filter once in the whole reference', () => {
  const [, section = ''] = /## Filters of several lists\n\n(.*?)\n\n/s.exec(whole)!;
  const names = findNames(section);
  assert.ok(names.includes('scope'));
  assert.equal(names, [...new Set(names)]);
});

parts('lists a filter with the list that it belongs to', () => {
  const ofPeople = findEntry(whole, 'GET /candidates');
  assert.match(ofPeople, /^- shift\?.*: Says to work this shift\.$/m);
  assert.match(ofPeople, /^- availableBy\?/m);
  assert.match(findEntry(whole, 'GET /job-orders'), /^- shift\?.*: Is for this shift\.$/m);
});

parts('refers matches to the list whose filters they take', () => {
  const matches = findEntry(whole, 'GET /job-orders/{id}/matches');
  assert.match(matches, /^- as GET \/candidates: .*\bshift\b/m);
});

parts('has an example of each PATCH', () => {
  const changes = operations.filter(({ verb }) => verb === 'patch');
  assert.ok(changes.length > 2);
  for (const { heading } of changes)
    assert.match(findEntry(whole, heading.split('\n')[0]!.slice(4)), /^- `\{".*\}`$/m, heading);
});

parts.run();
