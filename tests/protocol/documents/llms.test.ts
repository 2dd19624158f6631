import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { client } from '../../support/front.ts';

const llms = suite('the format of llms.txt');
const { text } = await client.get('/llms.txt');

interface Link {
  title: string;
  url: string;
  notes?: string;
}

interface Parsed {
  title: string;
  summary: string;
  info: string;
  sections: Map<string, Link[]>;
}

const item = /^-\s+\[(?<title>[^\]]+)\]\((?<url>[^)\s]+)\)(?::\s*(?<notes>\S.*))?$/;

/** An item of a file list: a link, optionally followed by a colon and notes. */
function parseItem(line: string): Link {
  const groups = item.exec(line)?.groups;
  assert.ok(groups, `below a heading there is only a list of links, and no ${line}`);
  const { title = '', url = '', notes } = groups!;
  return { title, url, ...(notes !== undefined && { notes }) };
}

const beginning = /^# (?<title>.+)\n+> (?<summary>.+)\n+(?<info>[\s\S]*)$/;

/**
 * The format of llmstxt.org: a title as H1, a summary as a quote, text without headings, then sections. A
 * section is an H2 with a list of links below it and nothing else.
 */
function parse(markdown: string): Parsed {
  const [before = '', ...parts] = markdown.split(/^## /m);
  const { title = '', summary = '', info = '' } = beginning.exec(before)?.groups ?? {};
  assert.not.match(info, /^#/m, 'the text before the sections has no headings');
  const sections = parts.map((part): [string, Link[]] => {
    const [heading = '', ...lines] = part.split('\n');
    return [heading.trim(), lines.filter((line) => line.trim() !== '').map(parseItem)];
  });
  return { title, summary, info, sections: new Map(sections) };
}

const parsed = parse(text);

llms('has a title, a summary and text', () => {
  assert.match(parsed.title, /Careers Placement/);
  assert.ok(parsed.summary.length > 20);
  assert.match(parsed.info, /POST \/candidates/);
});

llms('has only links below each heading', () => {
  assert.ok(parsed.sections.size > 2);
  for (const [heading, links] of parsed.sections) assert.ok(links.length > 0, heading);
});

llms('has one optional section, with the name that the format gives it', () => {
  assert.is([...parsed.sections.keys()].at(-1), 'Optional');
  assert.ok(parsed.sections.get('Optional')!.some(({ url }) => url === '/llms-full.txt'));
});

llms('links to addresses that answer', async () => {
  for (const { url } of [...parsed.sections.values()].flat()) {
    const { status } = await client.get(url.replace(/^https?:\/\/[^/]+/, ''));
    assert.ok(status === 200 || (status === 402 && url === '/offer'), `${url} answers ${status}`);
  }
});

llms.run();
