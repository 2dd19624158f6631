import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { useServer } from '../../support/server.ts';

const plain = suite('plain words');
const root = join(import.meta.dirname, '..', '..', '..');
const { origin } = await useServer();
const get = async (path: string) => (await fetch(origin + path)).text();

/** Words that have a plainer one, in forms that are unambiguous, each with what to write instead. */
const instead: [word: RegExp, better: string][] = [
  [
    /\btold\b|\btells? (?:of|the|its|it|this|that|both|how|what|which|a|an|each|every)\b/,
    'report, list, show',
  ],
  [/\bstands? (?:beside|behind|in|on|there|here|at|once|below|above|first)\b/, 'is'],
  [/\banew\b/, 'again, regenerated'],
  [/\bturn(?:s|ed)? down\b/, 'refuse'],
  [/\b(?:comes?|came) (?:to at|of it|of that|of them)\b/, 'is, results'],
  [/\bmend(?:s|ed|ing)?\b/, 'edit, help'],
  [/\beras(?:e|es|ed|ing)\b/, 'delete'],
  [/\btakes? (?:it|them|everything) along\b/, 'export'],
  [/\bgoes by itself\b/, 'expires on its own'],
  [/\bput off\b|\bputs (?:that|it) off\b/, 'delay'],
  [/\bgiven back\b/, 'released'],
  [/\bLeave it\b/, 'Cancel'],
  [/\bas (?:it|they) stands?\b/, 'unchanged'],
  [/\bwarned of\b/, 'gets a warning'],
];

/** Matches a sentence that begins with a free "Who". The short text of a member may begin so. */
const free: [RegExp, string] = [
  /(?:^|[.!?] )(?:Who|Whoever) (?:[\w`-]+ ){1,12}(?:is|are|has|gets?|can|may|must)\b[^?]*?\./m,
  'say who does it',
];

function toPlain(html: string): string {
  return html
    .replace(/<(script|style|pre|code)\b.*?<\/\1>/gs, ' ')
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ');
}

/** Returns every text of a JSON document that a person or a model reads as words. */
function listWords(node: unknown, found: string[] = []): string[] {
  for (const [name, value] of Object.entries((node ?? {}) as Record<string, unknown>)) {
    if (typeof value === 'object') listWords(value, found);
    else if (/^(description|summary|title|statement|reason|message)$/.test(name)) found.push(String(value));
  }
  return found;
}

plain('README, CONTRIBUTING, SECURITY, the changelog and the guides use plain words', () => {
  const papers = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md'];
  const names = [...papers, ...readdirSync(join(root, 'content/guides'))];
  for (const name of names) {
    const file = /^[A-Z]/.test(name) ? name : `content/guides/${name}`;
    hold(file, readFileSync(join(root, file), 'utf8').replace(/```.*?```/gs, ''), [...instead, free]);
  }
});

plain('the pages, llms.txt, the contract, the tools and the refusals use plain words', async () => {
  for (const page of readdirSync(join(root, 'dist/client')).filter((name) => name.endsWith('.html')))
    hold(page, toPlain(await get(`/${page}`)));
  for (const path of ['/llms.txt', '/index.md', '/pricing.md', '/verify.md']) hold(path, await get(path));
  for (const path of ['/openapi.json', '/.well-known/agents.json', '/icp.json', '/offer'])
    for (const text of listWords(JSON.parse(await get(path)))) hold(path, text);
  const headers = { 'Content-Type': 'application/json' };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
  const tools = await (await fetch(`${origin}/mcp`, { method: 'POST', headers, body })).json();
  for (const text of listWords(tools)) hold('tools/list', text);
  for (const [, text] of readFileSync(join(root, 'src/kernel/refusal.ts'), 'utf8').matchAll(
    /'([A-Z].+?)',$/gm,
  ))
    hold('a refusal', text!);
});

function hold(place: string, text: string, words = instead): void {
  for (const [word, better] of words) {
    const found = word.exec(text);
    const around = found && text.slice(Math.max(0, found.index - 60), found.index + 90);
    assert.is(found?.[0], undefined, `${place} has "${found?.[0]}" (${better}): …${around}`);
  }
}

plain.run();
