/** Each makes of the text of an environment variable a value, or throws what it must be. */

export function toWhole(min: number, max: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (!/^\d+$/.test(text) || value < min || value > max) {
      throw new Error(`must be a whole number from ${min} to ${max}`);
    }
    return value;
  };
}

export function toOneOf<W extends string>(...words: W[]): (text: string) => W {
  return (text) => {
    const word = words.find((one) => one === text);
    if (word === undefined) throw new Error(`must be one of ${words.join(', ')}`);
    return word;
  };
}

export function toOrigin(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.pathname !== '/' || url.search || url.hash) {
    throw new Error('must be an http or https origin without a path, such as https://careers.example');
  }
  return url.origin;
}

export function toOrigins(text: string): string[] {
  return text.split(',').flatMap((part) => (part.trim() ? [toOrigin(part.trim())] : []));
}

export function toContact(text: string): string {
  if (!/^(mailto:|https:|tel:)\S+$/.test(text)) throw new Error('must be a mailto:, https: or tel: address');
  return text;
}

export function toFlag(text: string): boolean {
  if (text !== '1' && text !== '0') throw new Error('must be 1 or 0');
  return text === '1';
}

export function toText(text: string): string {
  return text;
}

export function toStoreUrl(text: string): string {
  if (!/^(redis|rediss|redis-cluster|rediss-cluster):\/\/\S+$/.test(text)) {
    throw new Error('must be redis://…, rediss://…, redis-cluster://… or rediss-cluster://…');
  }
  return text;
}
