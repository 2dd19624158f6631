/** JSON as it stands inside a JSON string. The quote of two texts is that of the first and that of the second. */
export function quote(json: string): string {
  return JSON.stringify(json).slice(1, -1);
}

/** Bytes of UTF-8 that a text takes. */
export function countBytes(text: string): number {
  let bytes = text.length;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code > 0x7f) bytes += code > 0x7ff && (code & 0xf800) !== 0xd800 ? 2 : 1;
  }
  return bytes;
}

/** How a value and what is written of it are made, where that costs less than from the whole. */
interface Parts<T> {
  value: () => T;
  text: () => string;
  quoted: () => string;
}

/** A value, its JSON and the quote of that, each made when it is first asked for and kept. */
export class Json<T = unknown> {
  readonly #parts: Partial<Parts<T>>;
  #value: T | undefined;
  #text: string | undefined;
  #quoted: string | undefined;
  #bytes: number | undefined;

  private constructor(value: T | undefined, parts: Partial<Parts<T>>) {
    this.#value = value;
    this.#parts = parts;
  }

  /** The JSON of a value, which is not changed any more. */
  static of<T>(value: T): Json<T> {
    return new Json<T>(value, nothing);
  }

  /** A value that is made of parts which are written already. */
  static from<T>(parts: Parts<T>): Json<T> {
    return new Json<T>(undefined, parts);
  }

  /** What was written before. */
  static written(text: string): Json<object> {
    return new Json<object>(undefined, { value: () => JSON.parse(text), text: () => text });
  }

  get value(): T {
    this.#value ??= this.#parts.value!();
    return this.#value;
  }

  get text(): string {
    this.#text ??= this.#parts.text?.() ?? JSON.stringify(this.value);
    return this.#text;
  }

  /** As it stands inside a JSON string. */
  get quoted(): string {
    this.#quoted ??= this.#parts.quoted?.() ?? quote(this.text);
    return this.#quoted;
  }

  /** Bytes of the text in UTF-8. */
  get bytes(): number {
    this.#bytes ??= countBytes(this.text);
    return this.#bytes;
  }
}

const nothing = {};

/** A body as it is sent. */
export function toBodyText(body: object | string): string {
  if (body instanceof Json) return body.text;
  return typeof body === 'string' ? body : JSON.stringify(body);
}

/** The value of a body, however it is at hand. */
export function toValue(body: object | string): object | string {
  return body instanceof Json ? (body.value as object) : body;
}
