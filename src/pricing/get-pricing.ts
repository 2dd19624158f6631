import { defineDocument, fill } from '../kernel/document.ts';
import { ServedPricingDocument } from './document.ts';
import type { PricingService } from './offer.ts';
import { presentOffer } from './offer.ts';
import type { RateRow } from './rate-row.ts';

/** Returns what is included before the price counts: `unlimited`, `5 once`, `100 a month`, or '' for nothing. */
export function describeAllowance({
  freeQuota,
  included = freeQuota,
}: Pick<RateRow, 'included' | 'freeQuota'>) {
  if (included === undefined) return '';
  if (included === 'unlimited') return included;
  const { qty, period = 'month' } = typeof included === 'number' ? { qty: included } : included;
  return period === 'once' ? `${qty} once` : `${qty} a ${period}`;
}

function formatRate(rate: RateRow): string {
  const included = describeAllowance(rate);
  const price = typeof rate.price === 'object' ? JSON.stringify(rate.price) : rate.price;
  return `| ${rate.operation} | ${price} | ${rate.unit ?? ''} | ${included && `${included} included`} |`;
}

function formatPricingMarkdown(service: PricingService): string {
  const { hardCeiling, unit, statement = '', binding, termsUrl, rates = [] } = service.catalogue.pricing;
  const bound = binding
    ? `Yes: [the terms](${termsUrl}) bind it.`
    : 'No. What would close this open item: published terms that a caller can hold the service to, named as `termsUrl`, with `binding` set to `true`. There are none yet.';
  const rungs = presentOffer(service, 'ladder').alternatives.map(
    ({ title, live, statement: text }) => `- ${title} (${live ? 'works now' : 'not in force'}): ${text}`,
  );
  return fill(service, 'pricing', {
    ...{ hardCeiling, unit, statement, bound },
    above: hardCeiling + 1,
    rates: rates.map(formatRate).join('\n'),
    rungs: rungs.join('\n'),
  });
}

export const getPricing = defineDocument({
  operationId: 'getPricing',
  path: '/pricing',
  contract: {
    tag: 'commerce',
    summary: 'Pricing Document',
    description:
      'Rate card keyed by operationId, the hard ceiling, and whether published terms bind the price.',
    schema: ServedPricingDocument,
    enveloped: true,
  },
  tool: { description: 'What each operation costs and where the hard ceiling is. Nothing is billed today.' },
  caching: { atStart: true },
  markdown: formatPricingMarkdown,
  page: true,
  make: ({ catalogue: { pricing } }: PricingService) => ({ type: 'OK', ...pricing }),
});
