import type { IncomingMessage } from 'node:http';

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

/**
 * A header as node:http joins it where it was sent more than once; `name` in lower case. The first read of
 * `request.headers` makes an object of all headers, which takes as long as all else for an answer that is kept: it is
 * read only where the header was sent.
 */
export const readHeader = (request: IncomingMessage, name: string): string | string[] | undefined =>
  findHeader(request.rawHeaders, name) === undefined ? undefined : request.headers[name];
