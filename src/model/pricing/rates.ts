import * as v from 'valibot';
import { RateRow } from './rate-row.ts';
import { type Breach, toRule } from './rule.ts';

function findRepeats(rows: readonly RateRow[]): Breach[] {
  return rows.flatMap(({ operation }, index) => {
    const first = rows.findIndex((row) => row.operation === operation);
    const message = `Write one row an operation: row ${first} is for "${operation}" already.`;
    return first < index ? [{ path: [index, 'operation'], message }] : [];
  });
}

/** What is wrong with where a row's rate comes from: an operation not on the card, or a way back to itself. */
function findLostSources(rows: readonly RateRow[]): Breach[] {
  const sources = new Map(rows.map((row) => [row.operation, row.derived_from]));

  function toMessage(operation: string, source: string): string | undefined {
    if (!sources.has(source)) return `There is no rate for "${source}": write an operation of this card.`;
    const way = [operation];
    for (let next: string | undefined = source; next !== undefined; next = sources.get(next)) {
      if (next === operation) {
        return `Write another operation: ${[...way, next].join(' follows ')}, which leads in a circle.`;
      }
      if (way.includes(next)) return undefined;
      way.push(next);
    }
    return undefined;
  }

  return rows.flatMap(({ operation, derived_from }, index) => {
    const message = derived_from === undefined ? undefined : toMessage(operation, derived_from);
    return message ? [{ path: [index, 'derived_from'], message }] : [];
  });
}

/**
 * The rate card: rows keyed by operationId. Refuses two rows for one operation, and a `derived_from` that is
 * not on the card or leads back to its own row.
 */
export const Rates = v.pipe(
  v.array(RateRow, 'Write a list of rates.'),
  toRule<RateRow[]>(findRepeats),
  toRule<RateRow[]>(findLostSources),
);
