import * as v from 'valibot';
import { toDocument } from '../kernel/document.ts';
import { type Operation, toOperation } from '../kernel/operation.ts';
import { blocked } from '../kernel/replies.ts';
import type { Service } from '../kernel/service.ts';
import { ServedPricingDocument } from './document.ts';
import { offer } from './offer.ts';
import type { RateRow } from './rate-row.ts';

/** What is included before a price counts, in words: `unlimited`, `5 once`, `100 a month`; '' for nothing. */
export function toIncludedText({
  freeQuota,
  included = freeQuota,
}: Pick<RateRow, 'included' | 'freeQuota'>): string {
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

/** The Pricing Document as prose for a model, with the rate card as a table. */
function toPricingMarkdown({ catalogue: { pricing, offers } }: Service): string {
  const { hardCeiling, unit, statement, rates = [] } = pricing;
  const rungs = offers.ladder.alternatives.map(
    ({ title, live, statement: text }) => `- ${title} (${live ? 'works now' : 'not in force'}): ${text}`,
  );
  return `# Pricing

You are never metered past ${hardCeiling} ${unit} without authorising it again. ${statement ?? ''}

To see where the boundary is, ask for more than the ceiling: \`GET /placements?spend=${hardCeiling + 1}\` answers 402 with an OFFER. The ladder is at \`GET /offer\`, always a 402.

## Rate card

| operation | price | unit | included |
|---|---|---|---|
${rates.map(toRow).join('\n')}

## Beyond the sandbox

${rungs.join('\n')}

Next: [the same as JSON](/pricing.json), [home](/index.md).
`;
}

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
    run: (_, { service }) => ({ status: 402, body: service.catalogue.offers.ladder }),
  }),
];
