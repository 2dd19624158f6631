import { fill, toDocument } from '../kernel/document.ts';
import type { Service } from '../kernel/service.ts';
import { ServedPricingDocument } from './document.ts';
import { toOffer } from './offer.ts';
import type { RateRow } from './rate-row.ts';

/** What is included before a price counts, in words: `unlimited`, `5 once`, `100 a month`; '' for nothing. */
export function toIncludedText({ freeQuota, included = freeQuota }: Pick<RateRow, 'included' | 'freeQuota'>) {
  if (included === undefined) return '';
  if (included === 'unlimited') return included;
  const { qty, period = 'month' } = typeof included === 'number' ? { qty: included } : included;
  return period === 'once' ? `${qty} once` : `${qty} a ${period}`;
}

function toRow(rate: RateRow): string {
  const included = toIncludedText(rate);
  const price = typeof rate.price === 'object' ? JSON.stringify(rate.price) : rate.price;
  return `| ${rate.operation} | ${price} | ${rate.unit ?? ''} | ${included && `${included} included`} |`;
}

function toPricingMarkdown(service: Service): string {
  const { hardCeiling, unit, statement = '', binding, termsUrl, rates = [] } = service.catalogue.pricing;
  const bound = binding
    ? `Yes: [the terms](${termsUrl}) bind it.`
    : 'No. What would close this open item: published terms that a caller can hold the service to, named as `termsUrl`, with `binding` set to `true`. There are none yet.';
  const rungs = toOffer(service, 'ladder').alternatives.map(
    ({ title, live, statement: text }) => `- ${title} (${live ? 'works now' : 'not in force'}): ${text}`,
  );
  return fill(service, 'pricing', {
    ...{ hardCeiling, unit, statement, bound },
    above: hardCeiling + 1,
    rates: rates.map(toRow).join('\n'),
    rungs: rungs.join('\n'),
  });
}

export const getPricing = toDocument({
  operationId: 'getPricing',
  path: '/pricing',
  tag: 'commerce',
  summary: 'Pricing Document',
  description:
    'Rate card keyed by operationId, the hard ceiling, and whether published terms bind the price.',
  schema: ServedPricingDocument,
  enveloped: true,
  atStart: true,
  markdown: toPricingMarkdown,
  page: true,
  tool: 'What each operation costs and where the hard ceiling is. Nothing is billed today.',
  make: ({ catalogue: { pricing } }) => ({ type: 'OK', ...pricing }),
});
