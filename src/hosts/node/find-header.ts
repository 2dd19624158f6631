/**
 * The first value of a header among names and values in turn, as node:http received them; `name` in lower
 * case. Looking a few up here costs less than having all of them put into an object.
 */
export function findHeader(rawHeaders: readonly string[], name: string): string | undefined {
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const given = rawHeaders[index]!;
    if (given.length === name.length && given.toLowerCase() === name) return rawHeaders[index + 1];
  }
  return undefined;
}
