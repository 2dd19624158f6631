const plain = new Intl.NumberFormat('en-US', { maximumFractionDigits: 6 });

/** `1016` as `1,016`. */
export function toCount(value: number): string {
  return plain.format(value);
}

/** `12.5` as `$12.50`; fractions of a cent are kept. */
export function toDollars(value: number): string {
  const digits = Math.max(2, (String(value).split('.')[1] ?? '').length);
  return new Intl.NumberFormat('en-US', {
    style: 'currency',
    currency: 'USD',
    minimumFractionDigits: Math.min(digits, 6),
    maximumFractionDigits: 6,
  }).format(value);
}

/** `1 candidate`, `2 candidates`. */
export function toAmount(value: number, noun: string, plural = `${noun}s`): string {
  return `${toCount(value)} ${value === 1 ? noun : plural}`;
}
