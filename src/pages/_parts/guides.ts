import { anyOrigin, replaceOrigin } from '../../documents/guides.ts';

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

/** Removes links to other origins, such as http://localhost:PORT, but keeps their text. Pages link only this origin. */
const withoutOthers = (html: string) => html.replace(/<a href="\w+:[^"]*">(.*?)<\/a>/g, '$1');

/** Turns links to the files of other guides into links to their pages. A script fills in the origin. */
const rewriteLinks = (html: string) =>
  replaceOrigin(
    withoutOthers(html).replace(/ href="([\w-]+)\.md(?=["#])/g, ' href="/guides/$1.html'),
    `<span data-origin>${anyOrigin}</span>`,
  );

/** Reads the sections of a guide by its name. */
export async function readSections(name: string): Promise<GuideSection[]> {
  const { compiledContent } = await files[`${folder}${name}.md`]!();
  const [, ...parts] = (await compiledContent()).split(/(?=<h2\b)/);
  return parts.map((part) => {
    const [, id = '', title = '', html = ''] = /^<h2 id="([^"]+)">(.*?)<\/h2>([\s\S]*)$/.exec(part) ?? [];
    return { id, title, html: rewriteLinks(html) };
  });
}
