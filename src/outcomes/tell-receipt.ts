import type { ReceiptClaims } from './receipt.ts';

/** What a receipt that holds proves. */
export const proves =
  'That who held the workspace stated this outcome, and that a token issued to each party named here agreed with it: both at the service that signed it, and both at the times that it tells.';

/** What no receipt proves. */
export const provesNot =
  'Who they are, nor that they are two: whoever holds a workspace can ask for a token and answer with it. Nor that the placement, the person or the client exists: the service checked none of that.';

const meanings: Record<ReceiptClaims['result'], string> = {
  retained: 'retained: the person was still in the placement',
  converted: 'converted: the client took the person on',
  attrited: 'attrited: the person was no longer in the placement',
};

/** `2026-10-31 09:00:05 UTC`, of a time in RFC 3339. */
const toMoment = (time: string) => `${time.slice(0, 10)} ${time.slice(11, 19)} UTC`;

/** What the claims of a receipt say, in plain words: a name and a text each. */
export function toReceiptRows(claims: ReceiptClaims, kid: string): [name: string, text: string][] {
  const { iss, iat, jti, sub, onetCode, startDate, result, asOf, day } = claims;
  const { recordedAt, statedAt, confirmedBy, confirmedAt } = claims;
  return [
    ['Outcome', meanings[result]],
    ['As of', `${asOf}, day ${day} after the start on ${startDate}`],
    ['Placement', `${sub}, recorded ${toMoment(recordedAt)}`],
    ['Occupation', `O*NET-SOC ${onetCode}`],
    ['Stated', `${toMoment(statedAt)}, by who held the workspace`],
    [
      'Confirmed',
      `${toMoment(confirmedAt)}, by a token issued to the ${confirmedBy.join(' and one to the ')}`,
    ],
    ['Signed', `${toMoment(new Date(iat * 1000).toISOString())}, by ${iss}`],
    ['Receipt', jti],
    ['Key', kid],
  ];
}
