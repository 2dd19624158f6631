import { type DocumentRow, defineUnlisted, fill } from '../kernel/document.ts';
import type { Operation } from '../kernel/operation.ts';
import { withIndex } from '../kernel/representation.ts';
import { dayMs } from '../kernel/text.ts';
import { writeApiReference } from './api-reference.ts';
import { writeLlmsFull } from './guides.ts';
import { contextPath } from './home.ts';
import type { DocumentService } from './service.ts';
import { createSkillIndex, skillPath, writeSkill } from './skill.ts';
import { suitePaths, writeDeclarativeSuite, writeExecutableSuite } from './suites.ts';

/** How many days a security.txt is valid. RFC 9116 section 2.5.5 recommends less than a year. */
const securityDays = 180;

/** Returns security.txt (RFC 9116), or undefined if the operator has not set a contact. */
function writeSecurityTxt({ settings: { contact, baseUrl }, platform }: DocumentService): string | undefined {
  if (!contact) return undefined;
  const expires = new Date(platform.now() + securityDays * dayMs).toISOString();
  return `Contact: ${contact}\nExpires: ${expires}\nCanonical: ${baseUrl}/.well-known/security.txt\nPreferred-Languages: en\n`;
}

/** Pages that do not represent an operation. */
const otherPages = ['/api.html', '/receipt.html', '/watch.html', '/workspace.html'];

function writeSitemap(service: DocumentService): string {
  const pages = service.operations
    .filter(({ page }) => page)
    .flatMap(({ caching }) => caching.frozen?.(service) ?? [])
    .map((path) => (path === '/' ? '/' : `${path}.html`));
  const urls = [...pages, ...otherPages]
    .map((path) => `<url><loc>${service.settings.baseUrl}${path}</loc></url>`)
    .join('\n');
  return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${urls}\n</urlset>\n`;
}

const plain = 'text/plain; charset=utf-8';

const createSuiteOperation = (operationId: string, path: string, make: DocumentRow['make']) =>
  defineUnlisted({
    operationId,
    path,
    contract: {
      summary: 'A suite that judges this service',
      description: 'Fixed bytes: their digest stands at /verify.',
    },
    caching: { atStart: false },
    make,
  });

/** Pages where a person works. For a model each has a Markdown text that lists the calls that do the same. */
const papers = ['workspace', 'receipt', 'confirm', 'shortlist', 'claim'];

/** Defines the Markdown of a page that no other operation has. */
const createMarkdownOperation = (name: string, make: (service: DocumentService) => string) =>
  defineUnlisted({
    operationId: `get${name[0]!.toUpperCase()}${name.slice(1)}Page`,
    path: `/${name}.md`,
    contract: {
      summary: 'A page in Markdown',
      description: 'What a page says, for a model.',
    },
    type: 'text/markdown; charset=utf-8',
    make: (service: DocumentService) => withIndex(make(service)),
  });

/** Documents in formats that others define, and pages in Markdown. They are not in our contract. */
export const discovery: Operation[] = [
  createSuiteOperation('getDeclarativeSuite', suitePaths.declarative, writeDeclarativeSuite),
  createSuiteOperation('getExecutableSuite', suitePaths.executable, writeExecutableSuite),
  defineUnlisted({
    operationId: 'getContext',
    path: contextPath,
    contract: {
      summary: 'JSON-LD context',
      description: 'What the members of the home document mean.',
    },
    type: 'application/ld+json',
    make: (service) => JSON.parse(fill(service, 'context', { ...service.settings, contextPath })),
  }),
  defineUnlisted({
    operationId: 'getApiCatalog',
    path: '/.well-known/api-catalog',
    contract: {
      summary: 'API catalogue',
      description: 'RFC 9727 link set to the contract and the documents around it.',
    },
    type: 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"',
    headers: { Link: '</.well-known/api-catalog>; rel="api-catalog"' },
    make: (service) => JSON.parse(fill(service, 'api-catalog', { ...service.settings })),
  }),
  defineUnlisted({
    operationId: 'getSkillIndex',
    path: '/.well-known/agent-skills/index.json',
    contract: {
      summary: 'Agent skills',
      description: 'The skills that this service publishes, each with its digest.',
    },
    make: createSkillIndex,
  }),
  defineUnlisted({
    operationId: 'getSkill',
    path: skillPath,
    contract: {
      summary: 'The placement skill',
      description: 'How an agent places a person in a job here.',
    },
    type: 'text/markdown; charset=utf-8',
    make: writeSkill,
  }),
  defineUnlisted({
    operationId: 'getSecurityTxt',
    path: '/.well-known/security.txt',
    contract: {
      summary: 'Security contact',
      description: 'RFC 9116; there only where the operator named a contact.',
    },
    caching: {
      atStart: false,
      frozen: ({ settings }) => (settings.contact && !settings.live ? ['/.well-known/security.txt'] : []),
    },
    type: plain,
    make: writeSecurityTxt,
  }),
  defineUnlisted({
    operationId: 'getLlmsFull',
    path: '/llms-full.txt',
    contract: {
      summary: 'The guides for callers in one text',
      description: 'For indexes; /llms.txt and /api.md are shorter.',
    },
    type: plain,
    make: writeLlmsFull,
  }),
  defineUnlisted({
    operationId: 'getRobotsTxt',
    path: '/robots.txt',
    contract: {
      summary: 'Rules for crawlers',
      description: 'RFC 9309.',
    },
    type: plain,
    make: (service) => fill(service, 'robots', { ...service.settings }),
  }),
  defineUnlisted({
    operationId: 'getSitemap',
    path: '/sitemap.xml',
    contract: {
      summary: 'Site map',
      description: 'Every page for people.',
    },
    type: 'application/xml; charset=utf-8',
    make: writeSitemap,
  }),
  createMarkdownOperation('api', writeApiReference),
  ...papers.map((name) => createMarkdownOperation(name, (service) => fill(service, name))),
];
