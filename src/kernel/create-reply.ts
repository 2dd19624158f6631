import { type Call, pickLogFields, type Reply } from './call.ts';
import { commonHeaders, json, pageHeaders } from './headers.ts';
import { toBodyText } from './json.ts';
import { formatSuggestion } from './near-miss.ts';
import type { Operation, OperationReply } from './operation.ts';
import { type Refusal, toRefusal } from './refusal.ts';

/** Creates a reply. Many replies share `base`, so this copies it before it changes it. */
export function createReply(
  outcome: OperationReply,
  base: Readonly<Record<string, string>>,
  operation = 'none',
): Reply {
  const { status, type, pieces, logFields = pickLogFields(operation, 'http', outcome.body) } = outcome;
  if (status === 304) {
    const { 'Content-Type': _, ...headers } = { ...base, ...outcome.headers };
    return { status, headers, body: '', logFields };
  }
  const body = toBodyText(outcome.body);
  if (body === '') {
    return { status, headers: { ...commonHeaders, 'Cache-Control': 'no-store' }, body, logFields };
  }
  const isPlain = !outcome.headers && !type;
  const headers = isPlain ? base : { ...base, ...(type && { 'Content-Type': type }), ...outcome.headers };
  return { status, headers, body, pieces, logFields };
}

/** The headers of every refusal and every 404. The Link leads to what a caller can send. */
export const noStoreHeaders = {
  'Content-Type': json,
  ...commonHeaders,
  'Cache-Control': 'no-store',
  Link: '</api.md>; rel="help"; type="text/markdown"',
};

export function createRefusalReply(refusal: Refusal, operation = 'none'): Reply {
  const { status, envelope: body, headers, details } = refusal;
  const logFields = { ...pickLogFields(operation, 'http', body), limit: details.limit };
  return createReply({ status, body, headers, logFields }, noStoreHeaders, operation);
}

/**
 * The reply to a refused call. Reports the fault if there is one. Hosts also use it for calls that the core never saw.
 */
export function createErrorReply(
  error: unknown,
  operation: Pick<Operation, 'operationId' | 'refused'> | undefined,
  report: (fault: unknown) => void,
): Reply {
  const refusal = toRefusal(error, report);
  const outcome = operation?.refused?.(refusal);
  const name = operation?.operationId;
  return outcome ? createReply(outcome, noStoreHeaders, name) : createRefusalReply(refusal, name);
}

const byDestination = { Vary: 'Sec-Fetch-Dest' };

/** The 404 of an address that does not exist. `meant` are the addresses that the caller probably meant. */
export function createNotFoundReply(operation?: string, meant: readonly string[] = []): Reply {
  const body = {
    type: 'EMPTY',
    message: `Nothing is at this address.${formatSuggestion(meant)} Start at /, or read /api.md, which has every operation.`,
    links: {
      ...(meant[0] && !meant[0].includes('{') && { meant: meant[0] }),
      home: '/',
      api: '/api.md',
      llms: '/llms.txt',
      card: '/.well-known/agents.json',
    },
  };
  return createReply({ status: 404, body, headers: byDestination }, noStoreHeaders, operation);
}

export function createNotFoundPage(body: string): Reply {
  const headers = { ...pageHeaders, ...byDestination };
  return createReply({ status: 404, body, type: 'text/html; charset=utf-8', headers }, noStoreHeaders);
}

/** Says whether a preference was applied (RFC 7240 section 3), if the call can have warnings at all. */
export function withPreference(reply: Reply, call: Call, isStrict: boolean): Reply {
  if (!isStrict && call.query === '' && call.body.length === 0) return reply;
  const Vary = reply.headers.Vary ? `${reply.headers.Vary}, Prefer` : 'Prefer';
  const { 'Preference-Applied': other } = reply.headers;
  const strict = {
    'Preference-Applied': other ? `${other}, handling=strict` : 'handling=strict',
    'Cache-Control': 'no-store',
    'CDN-Cache-Control': 'no-store',
  };
  return { ...reply, headers: { ...reply.headers, ...(isStrict && strict), Vary } };
}
