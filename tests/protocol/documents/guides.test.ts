import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { isForCallers, parseGuide } from '../../../src/documents/guides.ts';
import type { Body } from '../../support/http.ts';
import { pluck } from '../../support/rows.ts';
import { useServer } from '../../support/server.ts';

const folder = join(import.meta.dirname, '..', '..', '..', 'content', 'guides');
const files = [...new Set(['getting-started.md', ...readdirSync(folder).sort()])];
const guides = suite('the guides');
const running = useServer();

async function get(path: string) {
  const { origin } = await running;
  const response = await fetch(origin + path);
  return { response, text: await response.text() };
}
const getJson = async (path: string): Promise<Body> => JSON.parse((await get(path)).text);

guides('are listed by name, with the address of each format', async () => {
  const { type, guides: listed } = await getJson('/guides');
  assert.is(type, 'OK');
  const names = files.map((file) => file.replace('.md', ''));
  assert.equal(pluck(listed, 'name'), names);
  for (const { name, title, summary, links, ...others } of listed) {
    assert.equal(others, {});
    assert.ok(title && summary, name);
    const self = `/guides/${name}`;
    assert.equal(links, { self, markdown: `${self}.md`, html: `${self}.html` });
  }
  assert.equal(await getJson('/guides.json'), { type, guides: listed });
});

guides('for callers are in llms.txt, and all are in the list and in the site map', async () => {
  const llms = (await get('/llms.txt')).text.split('\n## Guides\n')[1] ?? '';
  const list = (await get('/guides.md')).text;
  const map = (await get('/sitemap.xml')).text;
  const { guides: listed } = await getJson('/guides');
  for (const { name, title, summary, links } of listed) {
    const line = `- [${title}](${links.markdown}): ${summary}\n`;
    assert.is(llms.includes(`- [${title}](${links.markdown})\n`), isForCallers({ name }), line);
    assert.ok(list.includes(line), line);
    assert.ok(map.includes(`${links.html}</loc>`), links.html);
  }
  assert.match(map, /\/guides\.html<\/loc>/);
});

guides('have a Markdown file, and a page with all of its sections', async () => {
  const { origin } = await running;
  for (const file of files) {
    const text = readFileSync(join(folder, file), 'utf8');
    const markdown = await get(`/guides/${file}`);
    const whole = text.replace(/\]\((?=[a-z-]+\.md)/g, '](/guides/').replace(/\bORIGIN\b/g, origin);
    assert.is(markdown.text.replace(/\n> .*\(\/llms\.txt\)\n/, ''), whole, file);
    assert.not.match(markdown.text, /\]\((?!\/|#|https?:)/, `${file} links to another origin`);
    assert.match(markdown.response.headers.get('Content-Type') ?? '', /^text\/markdown/);
    assert.match(markdown.response.headers.get('Link') ?? '', /html>; rel="alternate"; type="text\/html"/);
    const self = `/guides/${file.replace('.md', '')}`;
    assert.is((await getJson(self)).guide.text, text, file);
    // The build adds sections behind two guides, which are no part of their text.
    const [page = ''] = (await get(`${self}.html`)).text.split(
      /<section class="part" aria-labelledby="(?:conversation|rates)"/,
    );
    const count = text.match(/^## /gm)!.length;
    assert.is(page.match(/<section class="part" aria-labelledby="[\w-]+"/g)?.length, count, file);
    assert.is(page.match(/<h2 id="[\w-]+"/g)?.length, count, file);
    assert.is(page.match(/<pre/g)?.length ?? 0, (text.match(/^```\w*$/gm)?.length ?? 0) / 2, file);
  }
});

/** Guides that have more words than people read at once, and why. */
const longGuides: Record<string, string> = {
  'adding-things.md': 'the map of the code: one section for each thing that is added',
  'importing.md': 'each column and each format that is read',
  'matching-reference.md': 'the rules by which words, days and places are read',
  'operating-reference.md': 'each limit, each member of the log, and each metric',
  'outcomes.md': 'the whole life of an outcome, from a statement to a receipt',
  'speed.md': 'the reason of each trick, with its measurement',
};

guides('have at most 1,500 words, or a reason', () => {
  const countWords = (file: string) => readFileSync(join(folder, file), 'utf8').split(/\s+/).length;
  assert.equal(
    files.filter((file) => countWords(file) > 1500),
    files.filter((file) => file in longGuides),
  );
});

guides('stop the build if their file breaks a rule for guides', () => {
  const summary = 'What this tells, and to whom it tells it.';
  assert.is(parseGuide('a', `# One\n\n${summary}\n\n## Two\n`).title, 'One');
  assert.throws(() => parseGuide('a', `One\n\n${summary}\n\n## Two\n`), /TITLE/);
  assert.throws(() => parseGuide('a', `# One\n${summary}\n\n## Two\n`), /TITLE/);
  assert.throws(() => parseGuide('a', `# One\n\n${summary}<b>\n\n## Two\n`), /plain line/);
  assert.throws(() => parseGuide('a', `# One\n\n${summary}\n\nThree\n`), /sections/);
});

guides('name functions that are declared in the file beside them', () => {
  const text = readFileSync(join(folder, 'adding-things.md'), 'utf8');
  const named = [...text.matchAll(/`(#?[\w.]+)` \(`(src\/[\w/.-]+\.ts)`\)/g)];
  assert.ok(named.length > 0);
  for (const [, name = '', file = ''] of named) {
    const own = name.split('.').at(-1);
    const declared = new RegExp(
      `(function|class|const) ${own}\\b|^  (override |async )*${own}(<\\w+>)?\\((.*\\{)?$`,
      'm',
    );
    assert.match(readFileSync(join(folder, '..', '..', file), 'utf8'), declared, `${name} in ${file}`);
  }
});

guides.run();
