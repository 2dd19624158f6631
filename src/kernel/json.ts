const beyondAscii = /[\u0080-\uffff]/;

/** Counts the bytes that a text takes in UTF-8. */
export function countBytes(text: string): number {
  let bytes = text.length;
  if (!beyondAscii.test(text)) return bytes;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code > 0x7f) bytes += code > 0x7ff && (code & 0xf800) !== 0xd800 ? 2 : 1;
  }
  return bytes;
}

/** Counts the bytes of a value as JSON in UTF-8. */
export const countJsonBytes = (value: object): number => countBytes(JSON.stringify(value));

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** How to make a value. `text` makes its JSON, if that is cheaper than from the value. */
interface Parts<T> {
  value(): T;
  text?(): string;
}

/** A value and its JSON. Each is made when it is first read, and then cached. */
export class Json<T = unknown> {
  readonly #parts: Parts<T>;
  #value: T | undefined;
  #text: string | undefined;
  #bytes: number | undefined;

  constructor(parts: Parts<T>) {
    this.#parts = parts;
  }

  /** The JSON of a value. The value must not change any more. */
  static of<T>(value: T): Json<T> {
    return new Json({ value: () => value });
  }

  /** A text that is already JSON. */
  static written(text: string): Json<object> {
    return new Json<object>({ value: () => JSON.parse(text), text: () => text });
  }

  get value(): T {
    this.#value ??= this.#parts.value();
    return this.#value;
  }

  get text(): string {
    this.#text ??= this.#parts.text?.() ?? JSON.stringify(this.value);
    return this.#text;
  }

  get bytes(): number {
    this.#bytes ??= countBytes(this.text);
    return this.#bytes;
  }
}

export function toBodyText(body: object | string): string {
  if (body instanceof Json) return body.text;
  return typeof body === 'string' ? body : JSON.stringify(body);
}

export function unwrapJson(body: object | string): object | string {
  return body instanceof Json ? (body.value as object) : body;
}
