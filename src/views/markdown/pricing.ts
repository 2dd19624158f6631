import type { Service } from '../../core/service.ts';
import type { PricingDocument } from '../../model/pricing/document.ts';

type Rate = NonNullable<PricingDocument['rates']>[number];

function toIncluded({ included }: Rate): string {
  if (included === undefined) return '';
  if (typeof included === 'object') return `${included.qty} a ${included.period ?? 'month'} included`;
  return included === 'unlimited' ? 'without limit' : `${included} a month included`;
}

function toRow(rate: Rate): string {
  const price = typeof rate.price === 'object' ? JSON.stringify(rate.price) : rate.price;
  return `| ${rate.operation} | ${price} | ${rate.unit ?? ''} | ${toIncluded(rate)} |`;
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
