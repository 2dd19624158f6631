import type { Service } from '../../core/service.ts';
import type { RateRow } from '../../model/pricing/rate-row.ts';

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
export function toPricingMarkdown({ catalogue: { pricing, offers } }: Service): string {
  const { hardCeiling, unit, statement, rates = [] } = pricing;
  const rungs = offers.ladder.alternatives.map(
    ({ title, live, statement: text }) => `- ${title} (${live ? 'works now' : 'not in force'}): ${text}`,
  );
  return `# Pricing

You are never metered past ${hardCeiling} ${unit} without authorising it again. ${statement ?? ''}

To see where the boundary is, ask for more than the ceiling: \`GET /placements?spend=${(hardCeiling ?? 0) + 1}\` answers 402 with an OFFER. The ladder is at \`GET /offer\`, always a 402.

## Rate card

| operation | price | unit | included |
|---|---|---|---|
${rates.map(toRow).join('\n')}

## Beyond the sandbox

${rungs.join('\n')}

Next: [the same as JSON](/pricing.json), [home](/index.md).
`;
}
