import { type Call, headerOf, readMediaType } from './call.ts';
import { cutExcerpt } from './envelope.ts';
import { parseBody, parseQuery, type ReadArgs } from './input.ts';
import { hasBody, type Operation } from './operation.ts';
import { isOtherBody, type OtherBody } from './other-body.ts';
import { Refusal } from './refusal.ts';

function readOtherBody({ read }: OtherBody, { args, issues }: ReadArgs, call: Call): ReadArgs {
  const body = read(call);
  return { args: { ...args, ...body.args }, issues, warnings: body.warnings };
}

const jsonType = /^(application|text)\/(.+\+)?json$/;

/** Returns the refusal of a body that is not JSON: of its type if it has another, or of its text. */
function createNotJson(call: Call, otherBody: OtherBody | undefined): Refusal {
  const type = readMediaType(call);
  if (type === '' || jsonType.test(type) || call.body.length === 0) return new Refusal('invalid_json');
  const or = otherBody ? `, or ${otherBody.how}` : '';
  const reason = `The body is ${cutExcerpt(type)} and not JSON. Send one JSON object in UTF-8 as application/json${or}.`;
  return new Refusal('unsupported_media', { reason });
}

/** Reads the arguments of a call from its body or its query. Throws a Refusal. */
export function readArgs(operation: Operation, call: Call): ReadArgs {
  if (!hasBody(operation.method)) return parseQuery(call.query, operation.input);
  if (operation.rawBody) return { args: {}, issues: [] };
  const encoding = headerOf(call, 'content-encoding');
  if (encoding && encoding.toLowerCase() !== 'identity') throw new Refusal('unsupported_media');
  const { otherBody } = operation;
  const query = parseQuery(call.query, operation.input);
  if (otherBody && isOtherBody(otherBody, query.args, call)) return readOtherBody(otherBody, query, call);
  const warnings = Object.keys(query.args).map((name) => ({
    code: 'unread_query',
    path: `?${cutExcerpt(name)}`,
    message: `is not read on a ${operation.method} and was ignored; send it in the body`,
    refusal: `belongs in the body of a ${operation.method}, not in the query`,
  }));
  const isEmpty = operation.method === 'POST' && call.body.length === 0;
  // JSON is read whatever its type says: curl -d calls it a form.
  const args = isEmpty ? {} : parseBody(call.body, () => createNotJson(call, otherBody));
  return { args, issues: [], warnings };
}
