import {
  anyOrigin,
  isForBuilders,
  isForCallers,
  isForOperators,
  replaceOrigin,
} from '../../documents/guides.ts';
import type { GuideEntry } from '../../documents/service.ts';
import { publishedOrigin, service } from './ask.ts';

/** A section of a guide: its heading, and the HTML below it. */
interface GuideSection {
  id: string;
  title: string;
  html: string;
}

interface MarkdownFile {
  compiledContent(): Promise<string>;
}

const folder = '../../../content/guides/';
const files = import.meta.glob<MarkdownFile>('../../../content/guides/*.md');

/** The order in which the guides of a group are best read. A guide that is not here follows the others. */
const readingOrder = [
  'getting-started',
  'connecting',
  'matching',
  'matching-reference',
  'outcomes',
  'keeping',
  'metering',
  'search',
  'briefs',
  'operating',
  'settings',
  'tls',
  'redis',
  'keys',
  'backup',
  'upgrade',
  'capacity',
  'operating-reference',
  'static-hosting',
  'speed',
  'adding-things',
];

function findPlace({ name }: GuideEntry): number {
  const place = readingOrder.indexOf(name);
  return place < 0 ? readingOrder.length : place;
}

const ordered = service.catalogue.guides.toSorted((a, b) => findPlace(a) - findPlace(b));

/** The guides by their readers, in reading order. */
export const guideGroups = [
  { id: 'callers', title: 'Use the service', guides: ordered.filter(isForCallers) },
  { id: 'operators', title: 'Run it', guides: ordered.filter(isForOperators) },
  { id: 'builders', title: 'Change it', guides: ordered.filter(isForBuilders) },
];

/** Returns the guides before and after a guide, in the order of the list. */
export function findNeighbourGuides(name: string) {
  const guides = guideGroups.flatMap((group) => group.guides);
  const place = guides.findIndex((guide) => guide.name === name);
  return { previous: guides[place - 1], next: guides[place + 1] };
}

/** Removes links to other origins, such as http://localhost:PORT, but keeps their text. Pages link only this origin. */
const withoutOthers = (html: string) => html.replace(/<a href="\w+:[^"]*">(.*?)<\/a>/g, '$1');

/** Turns links to the files of other guides into links to their pages. */
const rewriteLinks = (html: string) =>
  withoutOthers(html).replace(/ href="([\w-]+)\.md(?=["#])/g, ' href="/guides/$1.html');

const languages: Record<string, string> = {
  sh: 'Shell',
  json: 'JSON',
  js: 'JavaScript',
  ts: 'TypeScript',
  python: 'Python',
  nginx: 'nginx',
  toml: 'TOML',
  text: 'Text',
};

/** Puts each block of code below a bar with its language. A script adds the button that copies it. */
const addBars = (html: string) =>
  html.replace(/<pre><code class="language-(\w+)">[\s\S]*?<\/pre>/g, (block, language: string) => {
    const name = languages[language] ?? language;
    return `<div class="copyable"><p class="code-bar"><span>${name}</span></p>${block}</div>`;
  });

/** Marks each place of the address in a text. A script fills in the address that the page is read at. */
const markOrigin = (html: string) =>
  replaceOrigin(html, `<span data-origin>${publishedOrigin || anyOrigin}</span>`);

const rewrite = (html: string) => markOrigin(addBars(rewriteLinks(html)));

/** Reads the sections of a guide by its name. */
export async function readSections(name: string): Promise<GuideSection[]> {
  const { compiledContent } = await files[`${folder}${name}.md`]!();
  const [, ...parts] = (await compiledContent()).split(/(?=<h2\b)/);
  return parts.map((part) => {
    const [, id = '', title = '', html = ''] = /^<h2 id="([^"]+)">(.*?)<\/h2>([\s\S]*)$/.exec(part) ?? [];
    return { id, title, html: rewrite(html) };
  });
}
