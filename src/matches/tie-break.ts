/** Bits of what `toTieBreak` answers. */
export const tieBits = 40;

/**
 * The place of a pair among pairs of the same score: a whole number below 2^40 that follows from the two ids alone
 * and looks like chance, so that neither an early id nor a late one comes first more often than another. The same
 * on every machine: two lanes of multiply and rotate (as in MurmurHash3), mixed at the end.
 */
export function toTieBreak(order: { id: string }, candidate: { id: string }): number {
  let [one, other] = [0x9e3779b9, 0x85ebca6b];
  const text = `${order.id} ${candidate.id}`;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    one = Math.imul(one ^ unit, 0x9e3779b1);
    other = Math.imul(other ^ unit, 0x5f356495);
    one ^= one >>> 15;
    other ^= other >>> 13;
  }
  one = Math.imul(one ^ (one >>> 16), 0x85ebca6b) ^ Math.imul(other ^ (other >>> 13), 0xc2b2ae35);
  other = Math.imul(other ^ (other >>> 16), 0x85ebca6b) ^ Math.imul(one ^ (one >>> 13), 0xc2b2ae35);
  one ^= one >>> 16;
  return (other >>> 24) * 2 ** 32 + (one >>> 0);
}
