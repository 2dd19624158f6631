import type { Contracts } from '../kernel/contract.ts';
import type { ReplySpec } from '../kernel/operation.ts';
import { type Boundary, Offer, type PricingService, presentOffer } from './offer.ts';

/** Describes the 402 at a boundary. */
export function offer(boundary: Boundary, description: string): ReplySpec {
  return {
    description,
    schema: Offer,
    example: (service: PricingService) => presentOffer(service, boundary),
  };
}

export const workspaceFull = offer('recordCeiling', 'The workspace is full.');

export const pricingContracts: Contracts = {
  getOffer: {
    tag: 'commerce',
    summary: 'The offer beyond the sandbox',
    description: 'Always 402: the ladder of pay, work and claim. A labelled stub; settlement is inactive.',
    replies: { 402: offer('ladder', 'The ladder beyond the free sandbox.') },
    tool: { description: 'What comes after the free sandbox. A stub: nothing can be paid today.' },
  },
};
