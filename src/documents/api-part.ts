import * as v from 'valibot';
import { emptyRecord } from '../kernel/contract.ts';
import { defineOperation, type Operation, type OperationContext } from '../kernel/operation.ts';
import { withIndex } from '../kernel/representation.ts';
import { writeApiPart } from './api-reference.ts';
import { formatPartPath, listParts } from './api-tags.ts';
import type { DocumentService } from './service.ts';

const type = 'text/markdown';

/** One part of the API reference: the operations of one tag. */
export const getApiPart: Operation = {
  ...defineOperation({
    operationId: 'getApiPart',
    method: 'GET',
    path: formatPartPath('{id}'),
    caching: {
      rule: 'public',
      atStart: true,
      ignoresQuery: true,
      frozen: (service: DocumentService) => listParts(service).map(formatPartPath),
    },
    async run({ id }, { service }: OperationContext<DocumentService>) {
      const text = writeApiPart(service, id);
      if (text !== undefined) return { status: 200, body: withIndex(text), type: `${type}; charset=utf-8` };
      const message = `The API reference has no part of this name. Its parts are ${listParts(service).join(', ')}.`;
      return { status: 404, body: { type: 'EMPTY', message, links: { api: '/api.md' } } };
    },
  }),
  contract: {
    tag: 'discovery',
    summary: 'One part of the API reference',
    description:
      'The operations of one tag of this contract as Markdown: a part of /api.md that can be read alone.',
    idText: 'A tag of this contract.',
    sample: { id: 'placements' },
    enveloped: false,
    replies: {
      200: {
        description: 'The part.',
        schema: v.string(),
        type,
        example: () => '# API: placements\n',
      },
      404: emptyRecord('No part has this name. The message names them.'),
    },
  },
};
