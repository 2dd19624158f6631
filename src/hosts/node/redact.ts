/** Hides possible capabilities in what a caller wrote, before it is logged. */
import { workspaceIdPattern } from '../../records/account/workspace.ts';

/** Length of the shortest capability without its prefix, in characters. */
const tokenLength = 32;
/** How many characters are read, and how often they are decoded: the digits of an encoding may be encoded too. */
const maxRead = 4096;
const maxRounds = 4;

/** Letters, digits, _ and -, encoded once or more. A % that was encoded several times is % followed by as many 25. */
const encodedCharacters = /%(?:25)*([46][1-9a-f]|[57][0-9a]|3\d|5f|2d)/gi;

const idShape = workspaceIdPattern.slice('^ws_'.length, -1);

/**
 * Matches what begins like a capability, up to the end of its segment. Also matches what nearly begins like one and is
 * as long, and what is as long as a workspace id without its prefix.
 */
function createPattern(prefixes: readonly string[]): RegExp {
  const beginnings = ['ws_', ...prefixes].map((prefix) => prefix.slice(0, -1));
  const damagedPrefix = `(?:${beginnings.join('|')})[^0-9a-z/ \\n]`;
  const shapes = [
    `(ws_)[0-9a-z][^/ \\n]{7,}`,
    `(${prefixes.join('|')})[^/ \\n]*`,
    `(?<![0-9a-z])(${damagedPrefix})[^/ \\n]{${tokenLength - 1},}`,
    `${idShape}[0-9a-z]*`,
  ];
  return new RegExp(shapes.join('|'), 'gi');
}

/** What a text has if a run of letters and digits in it can be as long as a token. */
const longRun = new RegExp(`[0-9a-z]{${tokenLength}}|%|[^\\x20-\\x7e\\n]`, 'i');

/** Letters and digits, or encoded and invisible characters, or any other character. */
const piece = /([0-9a-z]+)|(%(?:25)*[0-9a-f]{2}|[^\x20-\x7e\n])|[\s\S]/gi;

/**
 * Hides each run of letters and digits that is as long as a token, whatever comes before it. Encoded and invisible
 * characters do not end a run.
 */
function hideRuns(text: string): string {
  let hidden = '';
  let shownTo = 0;
  let run = { start: 0, end: 0, length: 0 };
  const endRun = () => {
    if (run.length >= tokenLength) {
      hidden += `${text.slice(shownTo, run.start)}***`;
      shownTo = run.end;
    }
    run = { start: 0, end: 0, length: 0 };
  };
  for (const { 0: whole, 1: letters, 2: ignored, index } of text.matchAll(piece)) {
    if (letters !== undefined) {
      const start = run.length === 0 ? index : run.start;
      run = { start, end: index + whole.length, length: run.length + letters.length };
    } else if (ignored === undefined) endRun();
  }
  endRun();
  return hidden + text.slice(shownTo);
}

/** Decodes the letters, digits, _ and - of a path (RFC 3986 section 6.2.2.2), so that an encoded id is found. */
function decodeCharacters(path: string): string {
  let plain = path.slice(0, maxRead);
  for (let round = 0; round < maxRounds && plain.includes('%'); round += 1) {
    const decoded = plain.replace(encodedCharacters, (_, hex) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    );
    if (decoded === plain) break;
    plain = decoded;
  }
  return plain;
}

/** Many proxies make such ids. Only one capability in 2^32 consists of hex digits. */
const hexId = /^[0-9a-f]{32}$/;

/** Hides possible capabilities: the ids of workspaces, and tokens. */
export class Redactor {
  readonly #capabilities: RegExp;

  /** `prefixes` are what tokens begin with, each with its `_` at the end. There is at least one. */
  constructor(prefixes: readonly string[]) {
    this.#capabilities = createPattern(prefixes);
  }

  /** Returns the first 4,096 characters of a text, with possible capabilities hidden. */
  hideTokens(text: string): string {
    // No match is shorter than a token unless it has a `_`, and most texts are shorter.
    if (text.length < tokenLength && !text.includes('_')) return text;
    const bounded = text.slice(0, maxRead);
    const withoutNamed = bounded.replace(
      this.#capabilities,
      (_, workspace, token, damaged) => `${(workspace ?? token ?? damaged ?? 'ws_').toLowerCase()}***`,
    );
    return longRun.test(withoutNamed) ? hideRuns(withoutNamed) : withoutNamed;
  }

  /** Returns a path with possible capabilities hidden, however they are encoded. */
  hideInPath(path: string): string {
    return this.hideTokens(decodeCharacters(path));
  }

  /** Returns the id of a request, as its caller sent it, with possible capabilities hidden. */
  hideInId(id: string): string {
    return hexId.test(id) ? id : this.hideTokens(id);
  }
}
