/** Says a call of a recorded run in short, for the page that plays it and for its text. */

/** The most characters of an argument that are shown. */
const longestArgument = 88;

/** Formats a value of a call or of an answer on one line. A long text is cut. */
export function describeValue(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? 'nothing');
  const line = text.replaceAll('\n', ' ⏎ ').replaceAll('","', '", "');
  if (line.length <= longestArgument) return line;
  return `${line.slice(0, longestArgument).trimEnd()} …`;
}

/** Lists the arguments of a call as names and texts. */
export const listArguments = (input: Record<string, unknown>): [name: string, text: string][] =>
  Object.entries(input).map(([name, value]) => [name, describeValue(value)]);
