import { defineDocument } from '../kernel/document.ts';
import { defineOperation, type Operation, type OperationRow } from '../kernel/operation.ts';
import type { Service } from '../kernel/service.ts';

const path = '/guides';

/** Stands for the published origin in guides and pages, which are written before it is known. */
export const anyOrigin = 'ORIGIN';

/** Replaces `anyOrigin` where it is a whole word, so not in ALLOWED_ORIGINS. */
export const replaceOrigin = (text: string, by: string): string =>
  text.replace(new RegExp(`\\b${anyOrigin}\\b`, 'g'), () => by);

/** A guide: documentation for people who use, run or change this service. */
export type Guide = ReturnType<typeof parseGuide>;
type GuideEntry = Omit<Guide, 'text'>;

declare module '../kernel/service.ts' {
  interface Catalogue {
    /** By name; without their texts. */
    guides: readonly GuideEntry[];
    /** The whole of one that is listed. */
    guide(name: string): Guide | undefined | Promise<Guide | undefined>;
  }
}

/** The guide in a file: a title, a paragraph of summary, then sections. Throws where it has another form. */
export function parseGuide(name: string, text: string) {
  const [heading = '', summary = '', section = ''] = text.split('\n\n', 3);
  const title = heading.replace(/^# /, '');
  if (!/^# \S/.test(heading) || heading.includes('\n')) throw new Error('must begin with a line "# TITLE"');
  if (!/^[\w ,.;:'()-]{20,160}$/.test(summary)) {
    throw new Error('must have a plain line of 20 to 160 characters below its title');
  }
  if (!section.startsWith('## ')) throw new Error('must have sections, each below a line "## TITLE"');
  const self = `${path}/${name}`;
  const links = { self, markdown: `${self}.md`, html: `${self}.html` };
  return { name, title, summary, links, text };
}

/** Guides for those who run or change this service; all others are for callers. */
const operators = /^(adding-things|operating|operating-reference|speed|static-hosting)$/;
export const isForCallers = ({ name }: { name: string }) => !operators.test(name);

function formatGuideList(guides: readonly GuideEntry[]): string {
  return guides.map(({ title, summary, links }) => `- [${title}](${links.markdown}): ${summary}`).join('\n');
}

const findGuide = ({ catalogue }: Service, name: string | undefined) =>
  catalogue.guides.some((entry) => entry.name === name) ? catalogue.guide(name!) : undefined;

/** In the repository guides link each other by file name; a representation is read away from there. */
async function readGuideMarkdown(service: Service, name: string | undefined): Promise<string | undefined> {
  const guide = await findGuide(service, name);
  const linked = guide?.text.replaceAll(/\]\((?=[a-z-]+\.md)/g, '](/guides/');
  return linked && replaceOrigin(linked, service.settings.baseUrl);
}

export async function writeLlmsFull(service: Service): Promise<string> {
  const { guides: all, service: facts } = service.catalogue;
  const texts = await Promise.all(
    all.filter(isForCallers).map(({ name }) => readGuideMarkdown(service, name)),
  );
  return `# ${facts.title}: the guides for callers\n\n> Long: most callers need only [the API](/api.md).\n\n${texts.join('\n')}`;
}

const listGuides = defineDocument({
  operationId: 'listGuides',
  path,
  contract: {
    summary: 'Guides',
    description: 'How to use this service, run it and change it.',
    enveloped: true,
  },
  listed: false,
  markdown: ({ catalogue: { guides } }) =>
    `# Guides\n\nHow to use this service, run it and change it.\n\n## For callers\n\n${formatGuideList(guides.filter(isForCallers))}\n\n## For those who run or change it\n\n${formatGuideList(guides.filter((guide) => !isForCallers(guide)))}\n`,
  page: true,
  make: ({ catalogue: { guides } }) => ({ type: 'OK', guides }),
});

const getGuide = defineOperation({
  operationId: 'getGuide',
  method: 'GET',
  path: `${path}/{id}`,
  listed: false,
  caching: {
    rule: 'public',
    atStart: true,
    frozen: ({ catalogue: { guides } }) => guides.map(({ links }) => links.self),
  },
  markdown: readGuideMarkdown,
  page: true,
  async run({ id }, { service }) {
    const guide = await findGuide(service, id);
    if (guide) return { status: 200, body: { type: 'OK', guide } };
    const message = 'There is no guide of this name.';
    return { status: 404, body: { type: 'EMPTY', message, links: { list: path } } };
  },
});

export const guides: readonly (Operation | OperationRow)[] = [listGuides, getGuide];
