import * as v from 'valibot';
import { PricingDocument } from './document.ts';
import { type Breach, toRule } from './rule.ts';

/** Where a Pricing Document is amiss, as `rates.0.price` (empty for the whole), and what to write instead. */
export interface PricingProblem {
  path: string;
  message: string;
}

export type PricingCheck =
  | { ok: true; document: PricingDocument }
  | { ok: false; problems: PricingProblem[] };

function findStrangers({ rates = [] }: PricingDocument, legal: readonly string[]): Breach[] {
  return rates.flatMap(({ operation }, index) => {
    if (legal.includes(operation)) return [];
    const message = `This service has no operation "${operation}": write one of ${legal.join(', ')}.`;
    return [{ path: ['rates', index, 'operation'], message }];
  });
}

/**
 * Judges a value by the Pricing Document vocabulary. With `legalOperations`, a rate for any other
 * operationId is a problem too. Rules over several members are judged once every member is well typed.
 */
export function checkPricing(value: unknown, legalOperations?: readonly string[]): PricingCheck {
  const schema = v.pipe(
    PricingDocument,
    toRule<PricingDocument>((document) => (legalOperations ? findStrangers(document, legalOperations) : [])),
  );
  const result = v.safeParse(schema, value);
  if (result.success) return { ok: true, document: result.output };
  const problems = result.issues.map((issue) => ({
    path: v.getDotPath(issue) ?? '',
    message: issue.message,
  }));
  return { ok: false, problems };
}
