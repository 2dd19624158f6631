import { toDocument } from '../kernel/document.ts';
import type { Operation } from '../kernel/operation.ts';
import { contextPath, toContext } from './home.ts';
import { skillPath, toSkill, toSkillIndex } from './skill.ts';
import { suitePaths, toDeclarativeSuite, toExecutableSuite } from './suites.ts';
import { toApiCatalog, toRobotsTxt, toSecurityTxt, toSitemap } from './well-known.ts';

const plain = 'text/plain; charset=utf-8';

const toSuite = (operationId: string, path: string, make: Parameters<typeof toDocument>[0]['make']) =>
  toDocument({
    operationId,
    path,
    summary: 'A suite that judges this service',
    description: 'Fixed bytes: their digest stands at /verify.',
    listed: false,
    make,
  });

/** Documents in formats that others define; not part of our contract. */
export const discovery: Operation[] = [
  toSuite('getDeclarativeSuite', suitePaths.declarative, toDeclarativeSuite),
  toSuite('getExecutableSuite', suitePaths.executable, toExecutableSuite),
  toDocument({
    operationId: 'getContext',
    path: contextPath,
    summary: 'JSON-LD context',
    description: 'What the members of the home document mean.',
    listed: false,
    atStart: true,
    type: 'application/ld+json',
    make: toContext,
  }),
  toDocument({
    operationId: 'getApiCatalog',
    path: '/.well-known/api-catalog',
    summary: 'API catalogue',
    description: 'RFC 9727 link set to the contract and the documents around it.',
    listed: false,
    atStart: true,
    type: 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"',
    headers: { Link: '</.well-known/api-catalog>; rel="api-catalog"' },
    make: toApiCatalog,
  }),
  toDocument({
    operationId: 'getSkillIndex',
    path: '/.well-known/agent-skills/index.json',
    summary: 'Agent skills',
    description: 'The skills that this service publishes, each with its digest.',
    listed: false,
    atStart: true,
    make: toSkillIndex,
  }),
  toDocument({
    operationId: 'getSkill',
    path: skillPath,
    summary: 'The placement skill',
    description: 'How an agent places a person in a job here.',
    listed: false,
    atStart: true,
    type: 'text/markdown; charset=utf-8',
    make: toSkill,
  }),
  {
    ...toDocument({
      operationId: 'getSecurityTxt',
      path: '/.well-known/security.txt',
      summary: 'Security contact',
      description: 'RFC 9116; there only where the operator named a contact.',
      listed: false,
      type: plain,
      make: toSecurityTxt,
    }),
    frozen: ({ settings }) => (settings.contact && !settings.live ? ['/.well-known/security.txt'] : []),
  },
  toDocument({
    operationId: 'getRobotsTxt',
    path: '/robots.txt',
    summary: 'Rules for crawlers',
    description: 'RFC 9309.',
    listed: false,
    atStart: true,
    type: plain,
    make: toRobotsTxt,
  }),
  toDocument({
    operationId: 'getSitemap',
    path: '/sitemap.xml',
    summary: 'Site map',
    description: 'Every page for people.',
    listed: false,
    atStart: true,
    type: 'application/xml; charset=utf-8',
    make: toSitemap,
  }),
];
