import { toDocument } from '../kernel/document.ts';
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
  const { hardCeiling, unit, statement, binding, termsUrl, rates = [] } = service.catalogue.pricing;
  const bound = binding
    ? `Yes: [the terms](${termsUrl}) bind it.`
    : 'No. What would close this open item: published terms that a caller can hold the service to, named as `termsUrl`, with `binding` set to `true`. There are none yet.';
  const rungs = toOffer(service, 'ladder').alternatives.map(
    ({ title, live, statement: text }) => `- ${title} (${live ? 'works now' : 'not in force'}): ${text}`,
  );
  return `# Pricing

You are never metered past ${hardCeiling} ${unit} without authorising it again. ${statement ?? ''}

Answers in a workspace are metered by month, UTC, over HTTP, MCP and batch alike: \`GET /workspace\` reads its meter, as \`usage\`. Refusals, EMPTY, 304 and replays cost nothing, and reads without a workspace are not counted. A metered call that would go above the ceiling is answered 402, and calls at price 0 go on.

To see where the boundary is, ask for more than the ceiling: \`GET /placements?spend=${hardCeiling + 1}\` answers 402 with an OFFER. The ladder is at \`GET /offer\`, always a 402.

## Rate card

A list costs nothing, filtered or not. A batch costs what its records cost, and a tool call what the operation of that name costs.

| operation | price | unit | included |
|---|---|---|---|
${rates.map(toRow).join('\n')}

## Is the price bound?

${bound}

## Beyond the sandbox

${rungs.join('\n')}

Next: [the same as JSON](/pricing.json), [home](/index.md).
`;
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
