import * as v from 'valibot';
import { type Operation, type Outcome, toOperation } from '../core/operation.ts';
import type { Service } from '../core/service.ts';
import { toOkSchema } from '../model/envelope.ts';
import { toAgentCard } from '../views/agent-card.ts';
import { toHome } from '../views/home.ts';
import { toLlmsTxt } from '../views/llms.ts';
import { toOpenApi } from '../views/openapi.ts';

const anyObject = v.looseObject({});

/** A document of our own: an OK envelope around its members. */
export const ownDocument = v.looseObject(toOkSchema({}).entries);

type DocumentTexts = Pick<Operation, 'operationId' | 'path' | 'summary' | 'description'> &
  Partial<Pick<Operation, 'tag' | 'listed' | 'tool' | 'markdown' | 'page' | 'atStart'>> & {
    schema?: v.GenericSchema;
    type?: string;
    make(service: Service): object | string;
  };

/** A row that answers one document, the same to everybody. */
export function toDocument({ make, type, schema = anyObject, ...texts }: DocumentTexts): Operation {
  return toOperation({
    tag: 'discovery',
    listed: true,
    ...texts,
    method: 'GET',
    input: v.object({}),
    replies: { 200: { description: texts.summary, schema, ...(type && { type: type.split(';')[0] }) } },
    cache: 'public',
    workspace: false,
    frozen: () => [texts.path],
    run: (_, { service }): Outcome => ({ status: 200, body: make(service), ...(type && { type }) }),
  });
}

/** Documents that say what this service is. */
export const documents: Operation[] = [
  toDocument({
    operationId: 'getHome',
    path: '/',
    summary: 'Home',
    description: 'What this service is and how to start.',
    listed: false,
    schema: ownDocument,
    make: toHome,
  }),
  toDocument({
    operationId: 'getFamily',
    path: '/family.json',
    summary: 'Related properties as typed edges',
    description: 'The standard, the judge and the vocabulary that this service can prove a tie to.',
    schema: ownDocument,
    make: ({ catalogue: { service } }) => ({ type: 'OK', name: service.title, edges: service.family }),
  }),
  toDocument({
    operationId: 'getIcp',
    path: '/icp.json',
    summary: 'Who this service is for',
    description: 'Company and job types, personas, classes of agents each with a first call, and the ladder.',
    schema: ownDocument,
    make({ catalogue: { service, offers } }) {
      const { companyTypes, jobTypes, personas, system, agentClasses } = service.icp;
      return {
        type: 'OK',
        companyTypes,
        jobTypes,
        personas,
        system,
        agent_classes: agentClasses,
        ladder: offers.ladder.alternatives,
      };
    },
  }),
  toDocument({
    operationId: 'getProjection',
    path: '/projection.json',
    summary: 'Coordinates of this service',
    description: 'Hostname, substrate, brand, and where accounts and payments would be.',
    schema: ownDocument,
    atStart: true,
    make: ({ catalogue: { service }, settings }) => ({
      type: 'OK',
      hostname: new URL(settings.baseUrl).host,
      baseUrl: settings.baseUrl,
      ...service.projection,
    }),
  }),
  toDocument({
    operationId: 'getVerify',
    path: '/verify',
    summary: 'Suites that judge this service',
    description: 'The pinned AXP suite, and how to run it.',
    schema: ownDocument,
    make: ({ catalogue: { service } }) => ({
      type: 'OK',
      standard: service.standard,
      suites: [
        {
          name: service.standard.suite,
          digest: service.standard.digest,
          runner: service.standard.judge,
          statement:
            'The conformance suite of the standard that this service is built against, pinned by its digest.',
        },
      ],
    }),
  }),
  toDocument({
    operationId: 'getOpenApi',
    path: '/openapi.json',
    summary: 'OpenAPI 3.1 contract',
    description: 'Every operation with its parameters, bodies and replies.',
    make: toOpenApi,
  }),
  toDocument({
    operationId: 'getAgentCard',
    path: '/.well-known/agents.json',
    summary: 'Capability card and probe manifest',
    description: 'Every interface, what can be probed, what it costs, and what is attested.',
    make: toAgentCard,
  }),
  toDocument({
    operationId: 'getLlmsTxt',
    path: '/llms.txt',
    summary: 'Plain description for a model',
    description: 'What this service is and how to use it, in Markdown as plain text.',
    schema: v.string(),
    type: 'text/plain; charset=utf-8',
    make: toLlmsTxt,
  }),
  toDocument({
    operationId: 'getOnetCredit',
    path: '/onet.json',
    summary: 'O*NET release, licence and credit',
    description: 'The data release behind the occupations and the credit that it asks for.',
    listed: false,
    schema: ownDocument,
    make: ({ catalogue: { onet } }) => ({ type: 'OK', ...onet }),
  }),
];
