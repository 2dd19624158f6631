import { isDeepStrictEqual } from 'node:util';
import type { Case } from './case.ts';
import { type Answer, headerOf } from './wire.ts';

const compared = [
  'content-type',
  'content-encoding',
  'etag',
  'cache-control',
  'cdn-cache-control',
  'vary',
  'link',
];

/** The members of a JSON value and their types, down to single values. */
function toShape(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toShape);
  if (typeof value !== 'object' || value === null) return value === null ? 'null' : typeof value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, toShape(member)]));
}

/** The JSON of an answer; of a JSON-RPC response the tool's result, of an event stream its one message. */
function toJson({ body, headers }: Answer): unknown {
  const text = body.toString('utf8');
  const isStream = headers.includes('text/event-stream');
  const value = JSON.parse(isStream ? /^data: (.*)$/m.exec(text)![1]! : text);
  return value.jsonrpc ? value.result.structuredContent : value;
}

/** Throws where two answers that must be the same are not. */
export function checkSame({ same, title }: Case, name: string, ours: Answer, theirs: Answer): void {
  if (same === 'nothing') return;
  const fail = (what: string): never => {
    throw new Error(`${title}: ${name} answers with another ${what}`);
  };
  if (ours.status !== theirs.status) fail(`status (${theirs.status})`);
  if (same === 'bytes') {
    if (!ours.body.equals(theirs.body)) fail('body');
    for (const header of compared) {
      if (headerOf(ours, header) !== headerOf(theirs, header)) fail(header);
    }
    return;
  }
  const [one, other] = [toJson(ours), toJson(theirs)];
  const agree =
    same === 'json' ? isDeepStrictEqual(one, other) : isDeepStrictEqual(toShape(one), toShape(other));
  if (!agree) fail(same);
}
