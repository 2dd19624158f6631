import { anyOrigin, replaceOrigin } from '../../documents/guides.ts';

/** A section of a guide: its heading, and the HTML below that. */
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

/** An address that is told, such as http://localhost:PORT, is no link: pages link this origin only. */
const withoutOthers = (html: string) => html.replace(/<a href="\w+:[^"]*">(.*?)<\/a>/g, '$1');

/** Links between guides name the files, as they do where the files are read as they are. A script fills in the origin. */
const rewriteLinks = (html: string) =>
  replaceOrigin(
    withoutOthers(html).replace(/ href="([\w-]+)\.md(?=["#])/g, ' href="/guides/$1.html'),
    `<span data-origin>${anyOrigin}</span>`,
  );

/** The sections of the guide of this name. */
export async function readSections(name: string): Promise<GuideSection[]> {
  const { compiledContent } = await files[`${folder}${name}.md`]!();
  const [, ...parts] = (await compiledContent()).split(/(?=<h2\b)/);
  return parts.map((part) => {
    const [, id = '', title = '', html = ''] = /^<h2 id="([^"]+)">(.*?)<\/h2>([\s\S]*)$/.exec(part) ?? [];
    return { id, title, html: rewriteLinks(html) };
  });
}
