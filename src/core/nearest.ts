function sharedPrefix(a: string, b: string): number {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length++;
  return length;
}

/** Characters that are compared: more than a code has. */
const longest = 20;

/** The `count` codes that share the longest beginning with `sent`, the numerically closest first. */
export function toNearest(sent: string, codes: readonly string[], count = 3): string[] {
  const text = sent.slice(0, longest);
  const digits = Number(text.replace(/\D/g, '').padEnd(8, '0').slice(0, 8));
  return codes
    .map((code) => ({
      code,
      prefix: sharedPrefix(code, text),
      distance: Math.abs(Number(code.replace(/\D/g, '')) - digits),
    }))
    .sort((a, b) => b.prefix - a.prefix || a.distance - b.distance || (a.code < b.code ? -1 : 1))
    .slice(0, count)
    .map(({ code }) => code);
}
