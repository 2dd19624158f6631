import * as v from 'valibot';

/**
 * A part of a text that protocols word differently. `http` is what HTTP says. A caller of a tool sends an argument, calls
 * the tool of an operation, with an argument if one is named, or reads what `mcp` says.
 */
export const Part = v.union([
  v.strictObject({ http: v.string(), operation: v.string(), argument: v.exactOptional(v.string()) }),
  v.strictObject({ http: v.string(), argument: v.string() }),
  v.strictObject({ http: v.string(), mcp: v.string() }),
]);
export type Part = v.InferOutput<typeof Part>;

/** A text, in pieces if protocols word parts of it differently. */
export const Wording = v.union([v.string(), v.array(v.union([v.string(), Part]))]);
export type Wording = string | readonly (string | Part)[];

/** How a protocol words a part. */
export type WordPart = (part: Part) => string;

export const wordForHttp: WordPart = ({ http }) => http;

/** Joins the pieces of a template: `compose`Leave out ${strict}.``. A text without parts stays a string. */
export function compose(texts: TemplateStringsArray, ...values: readonly (Wording | Part)[]): Wording {
  const pieces: (string | Part)[] = [texts[0]!];
  for (const [index, value] of values.entries()) {
    if (Array.isArray(value)) pieces.push(...value);
    else pieces.push(value as string | Part);
    pieces.push(texts[index + 1]!);
  }
  return pieces.every((piece) => typeof piece === 'string') ? pieces.join('') : pieces;
}

/** The text as a protocol says it. */
export const formatWording = (text: Wording, wordPart: WordPart = wordForHttp): string =>
  typeof text === 'string'
    ? text
    : text.map((piece) => (typeof piece === 'string' ? piece : wordPart(piece))).join('');

/** The id of a workspace. The text for HTTP says how each protocol sends it. */
export const workspacePart: Part = {
  http: 'X-Workspace (over MCP the argument workspace)',
  argument: 'workspace',
};

/** Strict handling, which refuses what would only warn. */
export const strictPart: Part = { http: 'handling=strict', argument: 'strict' };

export const keyPart: Part = { http: 'Idempotency-Key', mcp: 'idempotencyKey' };
