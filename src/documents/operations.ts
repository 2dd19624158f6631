import * as v from 'valibot';
import { defineDocument } from '../kernel/document.ts';
import type { Operation } from '../kernel/operation.ts';
import { say } from '../kernel/text.ts';
import { Alternative, presentOffer } from '../pricing/offer.ts';
import { createAgentCard } from './agent-card.ts';
import { getApiPart } from './api-part.ts';
import { createHome, writeHomeMarkdown } from './home.ts';
import { writeLlmsTxt } from './llms.ts';
import { createOpenApi } from './openapi.ts';
import type { DocumentService } from './service.ts';
import { ServiceFacts } from './service-facts.ts';
import { listSuites, Suite, writeVerifyMarkdown } from './suites.ts';

const text = (words: string) => say(v.string(), words);

const facts = ServiceFacts.entries;
const { agentClasses, ...icp } = facts.icp.entries;

export const documents: Operation[] = [
  defineDocument({
    operationId: 'getHome',
    path: '/',
    contract: {
      summary: 'Home',
      description: 'What this service is and how to start.',
      enveloped: true,
    },
    listed: false,
    caching: { atStart: true },
    markdown: writeHomeMarkdown,
    page: true,
    make: createHome,
  }),
  defineDocument({
    operationId: 'getFamily',
    path: '/family.json',
    contract: {
      summary: 'Related properties as typed edges',
      description: 'The standard, the judge and the vocabulary that this service can prove a tie to.',
      members: { name: text('What it is called.'), edges: facts.family },
    },
    make: ({ catalogue: { service } }: DocumentService) => ({
      type: 'OK',
      name: service.title,
      edges: service.family,
    }),
  }),
  defineDocument({
    operationId: 'getIcp',
    path: '/icp.json',
    contract: {
      summary: 'Who this service is for',
      description: 'Who it is for, what it is not, and classes of agents, each with a first call.',
      members: {
        ...icp,
        agent_classes: agentClasses,
        ladder: say(v.array(Alternative), 'Ways to go on beyond the ceiling, best first.'),
      },
    },
    caching: { atStart: true },
    make(service: DocumentService) {
      const { agentClasses: agent_classes, ...others } = service.catalogue.service.icp;
      return { type: 'OK', ...others, agent_classes, ladder: presentOffer(service, 'ladder').alternatives };
    },
  }),
  defineDocument({
    operationId: 'getProjection',
    path: '/projection.json',
    contract: {
      summary: 'Coordinates of this service',
      description: 'Hostname, substrate, brand, and where accounts and payments would be.',
      example: ({ catalogue: { service } }: DocumentService) => ({
        type: 'OK',
        hostname: 'careers.example',
        baseUrl: 'https://careers.example',
        ...service.projection,
      }),
      members: {
        hostname: text('The host of the published address.'),
        baseUrl: text('The published address.'),
        ...facts.projection.entries,
      },
    },
    caching: { atStart: true },
    make: ({ catalogue: { service }, settings }: DocumentService) => ({
      type: 'OK',
      hostname: new URL(settings.baseUrl).hostname,
      baseUrl: settings.baseUrl,
      ...service.projection,
    }),
  }),
  defineDocument({
    operationId: 'getVerify',
    path: '/verify',
    contract: {
      summary: 'Suites that judge this service',
      description: 'The pinned AXP suite and our own two, each with its digest, and how to run them.',
      members: {
        standard: facts.standard,
        suites: say(v.array(Suite), 'The suites, each with its digest.'),
      },
    },
    markdown: writeVerifyMarkdown,
    page: true,
    make: async (service: DocumentService) => ({
      type: 'OK',
      standard: service.catalogue.service.standard,
      suites: await listSuites(service),
    }),
  }),
  defineDocument({
    operationId: 'getOpenApi',
    path: '/openapi.json',
    contract: {
      summary: 'OpenAPI 3.1 contract',
      description: 'Every operation with its parameters, bodies and replies.',
      schema: v.looseObject({
        openapi: text('The version of OpenAPI.'),
        info: say(
          v.looseObject({ title: text('The name of the service.'), version: text('Its version.') }),
          'What the service is called, and its version.',
        ),
        paths: say(v.looseObject({}), 'Every operation, by address and method.'),
      }),
      example: ({ catalogue: { service } }: DocumentService) => ({
        openapi: '3.1.0',
        info: { title: service.title, version: service.version },
        paths: {},
      }),
    },
    caching: { atStart: true },
    make: createOpenApi,
  }),
  defineDocument({
    operationId: 'getAgentCard',
    path: '/.well-known/agents.json',
    contract: {
      summary: 'Capability card and probe manifest',
      description: 'Every interface, what can be probed, what it costs, and what is attested.',
      schema: v.looseObject({
        name: text('What it is called.'),
        title: text('In words, for people.'),
        description: text('What it is, in words.'),
      }),
      example({ catalogue }) {
        const { name, title, description } = catalogue.service;
        return { name, title, description };
      },
    },
    caching: { atStart: true },
    make: createAgentCard,
  }),
  defineDocument({
    operationId: 'getLlmsTxt',
    path: '/llms.txt',
    contract: {
      summary: 'Plain description for a model',
      description: 'What this service is and how to use it, in Markdown as plain text.',
      schema: v.string(),
      example: ({ catalogue: { service } }: DocumentService) =>
        `# ${service.title}\n\n> ${service.description}\n`,
    },
    type: 'text/plain; charset=utf-8',
    caching: { atStart: true },
    make: writeLlmsTxt,
  }),
  getApiPart,
  defineDocument({
    operationId: 'getOnetCredit',
    path: '/onet.json',
    contract: {
      summary: 'O*NET release, licence and credit',
      description: 'The data release behind the occupations and the credit that it asks for.',
      enveloped: true,
    },
    listed: false,
    make: ({ catalogue: { onet } }: DocumentService) => ({ type: 'OK', ...onet }),
  }),
];
