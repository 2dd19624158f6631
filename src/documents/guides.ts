import { defineDocument } from '../kernel/document.ts';
import {
  defineOperation,
  type Operation,
  type OperationContext,
  type OperationRow,
} from '../kernel/operation.ts';
import type { DocumentService, Guide, GuideEntry } from './service.ts';

const path = '/guides';

/** A placeholder for the published origin, which is not known when guides and pages are written. */
export const anyOrigin = 'ORIGIN';

/** Replaces `anyOrigin` if it is a whole word, but not in ALLOWED_ORIGINS. */
export const replaceOrigin = (text: string, by: string): string =>
  text.replace(new RegExp(`\\b${anyOrigin}\\b`, 'g'), () => by);

/** Reads a guide: a title, a summary of 20 to 160 characters, then sections. Throws if the text has another form. */
export function parseGuide(name: string, text: string): Guide {
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

/** Guides for those who run this service, and for those who change it. All others are for callers. */
const operators =
  /^(backup|capacity|keys|operating|operating-reference|redis|settings|static-hosting|tls|upgrade)$/;
const builders = /^(adding-things|speed)$/;

export const isForOperators = ({ name }: { name: string }) => operators.test(name);
export const isForBuilders = ({ name }: { name: string }) => builders.test(name);
export const isForCallers = (guide: { name: string }) => !isForOperators(guide) && !isForBuilders(guide);

function formatGuideList(guides: readonly GuideEntry[]): string {
  return guides.map(({ title, summary, links }) => `- [${title}](${links.markdown}): ${summary}`).join('\n');
}

const findGuide = ({ catalogue }: DocumentService, name: string | undefined) =>
  catalogue.guides.some((entry) => entry.name === name) ? catalogue.guide(name!) : undefined;

/** Returns the Markdown of a guide. Links to other guides by file name become links to their addresses. */
async function readGuideMarkdown(
  service: DocumentService,
  name: string | undefined,
): Promise<string | undefined> {
  const guide = await findGuide(service, name);
  const linked = guide?.text.replaceAll(/\]\((?=[a-z-]+\.md)/g, '](/guides/');
  return linked && replaceOrigin(linked, service.settings.baseUrl);
}

export async function writeLlmsFull(service: DocumentService): Promise<string> {
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
  markdown: ({ catalogue: { guides } }: DocumentService) =>
    `# Guides\n\nHow to use this service, run it and change it.\n\n## For callers\n\n${formatGuideList(guides.filter(isForCallers))}\n\n## For those who run it\n\n${formatGuideList(guides.filter(isForOperators))}\n\n## For those who change it\n\n${formatGuideList(guides.filter(isForBuilders))}\n`,
  page: true,
  make: ({ catalogue: { guides } }: DocumentService) => ({ type: 'OK', guides }),
});

const getGuide = defineOperation({
  operationId: 'getGuide',
  method: 'GET',
  path: `${path}/{id}`,
  listed: false,
  caching: {
    rule: 'public',
    atStart: true,
    frozen: ({ catalogue: { guides } }: DocumentService) => guides.map(({ links }) => links.self),
  },
  markdown: readGuideMarkdown,
  page: true,
  async run({ id }, { service }: OperationContext<DocumentService>) {
    const guide = await findGuide(service, id);
    if (guide) return { status: 200, body: { type: 'OK', guide } };
    const message = 'There is no guide of this name.';
    return { status: 404, body: { type: 'EMPTY', message, links: { list: path } } };
  },
});

export const guides: readonly (Operation | OperationRow)[] = [listGuides, getGuide];
