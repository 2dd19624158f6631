const newline = 0x0a;

/** A line without its newline. Undefined if it was longer than allowed. */
type Line = Buffer | undefined;

/** Cuts a stream of bytes into lines. A line that is too long is not held in memory. */
export class LineReader {
  readonly #longest: number;
  #parts: Buffer[] = [];
  #length = 0;

  /** `longest` is in bytes. */
  constructor(longest: number) {
    this.#longest = longest;
  }

  /** Returns the lines that end in this chunk. */
  read(chunk: Buffer): Line[] {
    const lines: Line[] = [];
    let start = 0;
    for (let end = chunk.indexOf(newline); end >= 0; end = chunk.indexOf(newline, start)) {
      this.#add(chunk.subarray(start, end));
      lines.push(this.#finishLine());
      start = end + 1;
    }
    this.#add(chunk.subarray(start));
    return lines;
  }

  /** Returns the last line if no newline follows it. */
  end(): Line[] {
    return this.#length === 0 ? [] : [this.#finishLine()];
  }

  #add(part: Buffer): void {
    this.#length += part.length;
    if (this.#length > this.#longest) this.#parts = [];
    else if (part.length > 0) this.#parts.push(part);
  }

  #finishLine(): Line {
    const line = this.#length > this.#longest ? undefined : Buffer.concat(this.#parts);
    this.#parts = [];
    this.#length = 0;
    return line;
  }
}
