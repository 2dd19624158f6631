import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Body } from '../support/http.ts';
import { useServer } from '../support/server.ts';

const briefs = suite('the pages of the briefs');
const { origin } = await useServer();
const run = promisify(execFile);
const get = async (path: string) => (await fetch(origin + path)).text();
const list: Body[] = JSON.parse(await get('/briefs')).briefs;

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };

/** Returns the blocks of code on a page, with its address. */
const toBlocks = (html: string) =>
  [...html.matchAll(/<pre[^>]*>(.*?)<\/pre>/gs)].map(([, block]) =>
    block!
      .replace(/<span data-origin>ORIGIN<\/span>/g, origin)
      .replace(/<[^>]+>/g, '')
      .replace(/&(amp|lt|gt|quot|#39);/g, (_, name) => entities[name]!),
  );

briefs('every page links the briefs in its navigation', async () => {
  for (const path of ['/index.html', '/api.html', '/404.html'])
    assert.match(await get(path), /<nav aria-label="Pages">.*?href="\/briefs\.html".*?<\/nav>/s, path);
});

briefs('the table has a row for each brief, with a link to its page', async () => {
  const html = await get('/briefs.html');
  const rows = [...html.matchAll(/<tr id="([\w-]+)">.*?href="([^"]+)"/gs)].map(([, id, href]) => [id, href]);
  assert.equal(
    rows,
    list.map(({ id }) => [id, `/briefs/${id}.html`]),
  );
});

briefs('a page has the text, the checks and a run that passes', async () => {
  const html = await get('/briefs/three-openings.html');
  assert.match(html, /Three software orders have one opening each/);
  assert.is(html.match(/Found: /g)?.length, 5);
  assert.match(html, /POST<\/span> \/placements <span class="chip is-ok">201/);
});

briefs('a page says what each of its brief is about in its description', async () => {
  const descriptions = await Promise.all(
    list.map(
      async ({ id }) => /name="description" content="([^"]+)"/.exec(await get(`/briefs/${id}.html`))?.[1],
    ),
  );
  assert.is(new Set(descriptions).size, list.length);
});

briefs('the blocks to start and to grade a brief work when they are copied', async () => {
  const { id } = list[0]!;
  const [start, grade] = toBlocks(await get(`/briefs/${id}.html`));
  const curl = async (call: string): Promise<Body> =>
    JSON.parse((await run('sh', ['-c', call.replace('curl', 'curl --silent --fail')])).stdout);
  const { grader, brief } = await curl(start!);
  assert.is(brief.id, id);
  assert.is((await curl(grade!.replace('grd_…', grader))).grade.brief, id);
});

briefs('the blocks of each page are those of any other, for its brief', async () => {
  const readBlocks = async (id: string) =>
    toBlocks(await get(`/briefs/${id}.html`)).map((block) => block.replaceAll(id, 'BRIEF'));
  const expected = (await readBlocks(list[0]!.id)).slice(0, 3);
  for (const { id } of list) assert.equal((await readBlocks(id)).slice(0, 3), expected, id);
});

briefs('the block with the runner works when it is copied', async () => {
  const [, , runner] = toBlocks(await get('/briefs/must-haves.html'));
  const { stdout } = await run('sh', ['-c', runner!.replace('npm run', 'npm run --silent')]).catch(
    (error) => error,
  );
  assert.match(stdout, /must-haves \(0\)/);
});

briefs.run();
