import { mostByCredits, perCredit } from '../records/workspace-state.ts';

/** Credits that a workspace may earn in a calendar month: as many as still prolong its life. */
export const mostCredits = 30;

const howTo = {
  statement:
    'Find nonce, a string of 1 to 64 characters, so that SHA-256 of the UTF-8 text salt + "." + nonce begins with `bits` zero bits. POST /work with {"challenge": as it is here, "nonce"} and the same X-Workspace.',
  snippet: `async function solve({ salt, bits }) {
  for (let n = 0; ; n += 1) {
    const text = new TextEncoder().encode(salt + '.' + n);
    const digest = new DataView(await crypto.subtle.digest('SHA-256', text));
    if (Math.clz32(digest.getUint32(0)) >= Math.min(bits, 32) && (bits <= 32 || Math.clz32(digest.getUint32(4)) >= bits - 32)) return String(n);
  }
}`,
};

/** What a credit pays. */
const pays = {
  credits: 1,
  lifeHours: perCredit.hours,
  mostDaysAhead: mostByCredits.days,
  records: perCredit.records,
  mostRecords: mostByCredits.records,
  includedPerCreate: perCredit.included,
  mostCreditsAMonth: mostCredits,
  statement: 'A credit is no money: it prolongs a life, makes room, and includes creates of this month.',
};

/** What is told with every challenge. */
export const told = { pays, howTo };
