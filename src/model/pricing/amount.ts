import * as v from 'valibot';

const rule = 'Write a number that is 0 or more.';
const positiveRule = 'Write a number above 0.';

/** A quantity or a sum of money in the unit said beside it, 0 or more. */
export const Amount = v.pipe(v.number(rule), v.minValue(0, rule));

/** A quantity or a sum of money above 0. */
export const PositiveAmount = v.pipe(v.number(positiveRule), v.gtValue(0, positiveRule));
