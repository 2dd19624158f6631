import * as v from 'valibot';
import { type Operation, toOperation } from '../core/operation.ts';
import { ServedPricingDocument } from '../model/pricing/document.ts';
import { toPricingMarkdown } from '../views/markdown/pricing.ts';
import { toDocument } from './document.ts';
import { blocked, offer } from './replies.ts';

/** What it costs, and the offer beyond the ceiling. */
export const commerce: Operation[] = [
  toDocument({
    operationId: 'getPricing',
    path: '/pricing',
    tag: 'commerce',
    summary: 'Pricing Document',
    description:
      'Rate card keyed by operationId, the hard ceiling, and whether published terms bind the price.',
    schema: ServedPricingDocument,
    enveloped: true,
    markdown: toPricingMarkdown,
    page: true,
    tool: {
      title: 'Read the pricing',
      description: 'What each operation costs and where the hard ceiling is. Nothing is billed today.',
    },
    make: ({ catalogue: { pricing } }) => ({ type: 'OK', ...pricing }),
  }),
  toOperation({
    operationId: 'getOffer',
    method: 'GET',
    path: '/offer',
    tag: 'commerce',
    summary: 'The offer beyond the sandbox',
    description: 'Always 402: the ladder of pay, work and claim, a labelled stub. Settlement is inactive.',
    listed: true,
    input: v.object({}),
    replies: {
      400: blocked('invalid_request', 'The query is not valid.'),
      402: offer('ladder', 'The ladder beyond the free sandbox.'),
    },
    cache: 'never',
    workspace: false,
    tool: {
      title: 'Read the offer',
      description: 'How one would go on past the free sandbox. A stub: nothing can be paid today.',
    },
    run: (_, { service }) => ({ status: 402, body: service.catalogue.offers.ladder }),
  }),
];
