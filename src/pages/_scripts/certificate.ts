import type { ReceiptClaims } from '../../placements/sign-receipt.ts';
import { el, need, showFacts } from './dom.ts';
import { formatLongDate, formatLongTime, formatLongTimeInUtc, toSentenceCase } from './format.ts';
import { meanings } from './meanings.ts';

interface CheckedReceipt {
  /** The receipt as it was signed. */
  text: string;
  claims: ReceiptClaims;
  kid: string;
  /** The address of the keys that it was checked with. */
  keysUrl: string;
  /** When it was checked, in milliseconds since the epoch. */
  checkedAt: number;
}

/** Lists what a receipt says besides its result and its parties, as pairs of a name and a text. */
function listFacts({ claims, kid }: CheckedReceipt): [name: string, text: string][] {
  const { iss, iat, jti, sub, onetCode, startDate, guaranteeDays } = claims;
  const guarantee: [string, string][] =
    guaranteeDays === undefined ? [] : [['Guarantee', `${guaranteeDays} days after the start`]];
  return [
    ['Start', formatLongDate(startDate)],
    ...guarantee,
    ['Occupation', `O*NET-SOC ${onetCode}`],
    ['Placement', sub],
    ['Recorded', formatLongTimeInUtc(claims.recordedAt)],
    ['Stated', `${formatLongTimeInUtc(claims.statedAt)}, by the holder of the workspace`],
    ['Confirmed', formatLongTimeInUtc(claims.confirmedAt)],
    ['Signed', formatLongTimeInUtc(iat * 1000)],
    ['Issuer', iss],
    ['Receipt', jti],
    ['Key', kid],
  ];
}

/** Draws a row for each party. A receipt names the parties by what they are, and holds no names of people. */
function drawParties({ confirmedBy, disputedBy = [] }: ReceiptClaims): HTMLElement[] {
  return confirmedBy.map((party) => {
    const before = disputedBy.includes(party) ? ', after it disagreed with an earlier statement' : '';
    const words = `A token issued to the ${party} agreed${before}.`;
    return el('li', {}, el('strong', {}, toSentenceCase(party)), el('span', { class: 'note' }, words));
  });
}

/** Draws a receipt that was checked as a certificate. All of it comes from the receipt and its check. */
export function drawCertificate(certificate: HTMLElement, receipt: CheckedReceipt): void {
  const { claims, text, keysUrl, checkedAt } = receipt;
  const place = (name: string) => need<HTMLElement>(certificate, `[data-${name}]`);
  place('outcome').textContent = toSentenceCase(claims.result);
  place('meaning').textContent = meanings[claims.result];
  place('day').textContent = `On ${formatLongDate(claims.asOf)}, day ${claims.day} after the start.`;
  place('checked').textContent = `On ${formatLongTime(checkedAt)}, with the key published at ${keysUrl}`;
  place('parties').replaceChildren(...drawParties(claims));
  showFacts(place('facts'), listFacts(receipt));
  place('text').textContent = text;
}
