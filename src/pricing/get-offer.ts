import * as v from 'valibot';
import { blocked, toOperation } from '../kernel/operation.ts';
import { offer, toOffer } from './offer.ts';

/** The offer beyond the ceiling. */
export const getOffer = toOperation({
  operationId: 'getOffer',
  method: 'GET',
  effect: 'read',
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
  run: (_, { service }) => ({ status: 402, body: toOffer(service, 'ladder') }),
});
