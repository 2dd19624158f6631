import { type Issue, limitIssues, toReason } from './envelope.ts';

interface Boundary {
  status: number;
  reason: string;
  headers?: Record<string, string>;
}

/** Every way in which a call is turned down: the code is stable, the reason says what to send instead. */
const boundaries = {
  invalid_request: { status: 400, reason: 'The request is not valid; issues names each place.' },
  invalid_json: { status: 400, reason: 'The body is not JSON. Send one JSON object in UTF-8.' },
  not_an_object: { status: 400, reason: 'The body must be one JSON object, such as {"name": "…"}.' },
  invalid_path: { status: 400, reason: 'The path cannot be decoded. Percent-encode it as UTF-8.' },
  invalid_http: { status: 400, reason: 'This is not a well-formed HTTP/1.1 request.' },
  unknown_workspace: {
    status: 401,
    reason:
      'No such workspace: it never was, or it expired. Leave the workspace out to read the public seed; a create without it mints a new workspace.',
    headers: { 'WWW-Authenticate': 'Workspace realm="sandbox"' },
  },
  unknown_confirmation: {
    status: 401,
    reason:
      'No such confirmation: it never was, was replaced by a later one, or has expired. Ask who sent it for a new one.',
    headers: { 'WWW-Authenticate': 'Confirmation realm="sandbox"' },
  },
  unknown_claim: {
    status: 401,
    reason:
      'No such claim: it never was, was used, was replaced by a later one, or has expired. Ask the agent to start a new one.',
    headers: { 'WWW-Authenticate': 'Claim realm="sandbox"' },
  },
  unknown_owner: {
    status: 401,
    reason:
      'This is for the owner of a claimed workspace, signed in: the bearer is missing, changed or expired. Sign in again at /workspace.html.',
    headers: { 'WWW-Authenticate': 'Bearer realm="owner"' },
  },
  owner_only: {
    status: 403,
    reason: 'Only the person who claimed this workspace may do this, signed in at /workspace.html.',
  },
  forbidden_scope: {
    status: 403,
    reason:
      'Scopes admin and internal are not open to callers. Leave scope out, or send public or workspace.',
  },
  read_only: {
    status: 403,
    reason:
      'This record belongs to the public seed, which nobody changes. Create one of your own, and change that.',
  },
  forbidden_origin: {
    status: 403,
    reason:
      'This Origin or Host may not call /mcp. Call it without an Origin header, by the published address.',
  },
  method_not_allowed: { status: 405, reason: 'This address does not take this method; see Allow.' },
  conflict: {
    status: 409,
    reason: 'This disagrees with other records. Leave out handling=strict to be warned instead.',
  },
  illegal_transition: { status: 409, reason: 'This status cannot follow the one that it has now.' },
  not_started: {
    status: 409,
    reason: 'It has no start yet, or one in the future, so nothing can be stated of it.',
  },
  no_outcome: {
    status: 409,
    reason: 'No outcome is stated, so there is nothing to confirm. State one first.',
  },
  outcome_closed: {
    status: 409,
    reason: 'The outcome can no longer change: it is validated, or the time to validate it is over.',
  },
  already_answered: {
    status: 409,
    reason: 'This was answered otherwise before, and an answer stands until the statement changes.',
  },
  wrong_proof: {
    status: 400,
    reason: 'This is no proof of work: ask for a challenge, and solve that one.',
  },
  wrong_passkey: {
    status: 400,
    reason: 'This passkey did not answer as it must. Begin again, and answer with a passkey made here.',
  },
  spent: { status: 409, reason: 'This challenge was paid for already. Ask for another one.' },
  at_limit: { status: 409, reason: 'This workspace has earned as much as it may for now.' },
  already_claimed: { status: 409, reason: 'This workspace is claimed already, and stays with who holds it.' },
  not_live: { status: 409, reason: 'This cannot be done here.' },
  duplicate_ref: {
    status: 409,
    reason: 'Another record of this kind in the workspace has this ref. Send another, or change that record.',
  },
  changed: {
    status: 412,
    reason:
      'The record has changed since you read it. Read it again, and send the change with what you read then.',
  },
  request_timeout: { status: 408, reason: 'The request took too long to arrive. Send it again, whole.' },
  body_too_large: { status: 413, reason: 'The body is larger than 64 KiB (65,536 bytes). Send less.' },
  idempotency_mismatch: {
    status: 422,
    reason:
      'This Idempotency-Key was used for another request. Send a fresh key, or the same body as the first time.',
  },
  unsupported_media: {
    status: 415,
    reason: 'Send the body as application/json, without a Content-Encoding.',
  },
  rate_limited: { status: 429, reason: 'Too many requests from this address; wait as Retry-After says.' },
  connection_share: {
    status: 429,
    reason:
      'This address has as many connections open as one address may. Keep one open for many requests, and try again when others have ended.',
    headers: { 'Retry-After': '2' },
  },
  headers_too_large: {
    status: 431,
    reason: 'The request line and headers are larger than 16 KiB, or close to a thousand lines. Send less.',
  },
  internal: { status: 500, reason: 'Something went wrong here, not with your request. Send it again.' },
  too_many_connections: {
    status: 503,
    reason: 'Too many connections are open here. Try again in a moment, and keep one open for many requests.',
    headers: { 'Retry-After': '2' },
  },
  too_busy: {
    status: 503,
    reason: 'Too many large bodies are on their way here at once. Send it again in a moment, or send less.',
    headers: { 'Retry-After': '2' },
  },
  stopping: {
    status: 503,
    reason: 'This process is stopping; send new requests to another.',
    headers: { 'Retry-After': '2' },
  },
  store_unavailable: {
    status: 503,
    reason:
      'The workspace store does not answer as it should, so nothing was acknowledged. Send the request again later; a POST with an Idempotency-Key then counts once.',
    headers: { 'Retry-After': '2' },
  },
} as const satisfies Record<string, Boundary>;

export type RefusalCode = keyof typeof boundaries;

/** Boundaries whose reason begins with the places at fault. */
const ofPlaces: readonly RefusalCode[] = ['invalid_request', 'conflict'];

/** The BLOCKED envelope of a boundary, with a more exact reason or the places at fault. */
export function toBlocked(
  code: RefusalCode,
  { reason = boundaries[code].reason, issues }: { reason?: string; issues?: readonly Issue[] } = {},
) {
  if (!issues) return { type: 'BLOCKED' as const, code, reason };
  const places = ofPlaces.includes(code) ? toReason(issues) : reason;
  const said = code === 'conflict' ? `${places} ${reason}` : places;
  return { type: 'BLOCKED' as const, code, reason: said, issues: limitIssues(issues) };
}

/** A call turned down. Thrown anywhere below a door, and caught at it; `cause` is the fault behind it, if any. */
export class Refusal extends Error {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly envelope: ReturnType<typeof toBlocked>;

  constructor(
    code: RefusalCode,
    details: {
      reason?: string;
      issues?: readonly Issue[];
      headers?: Record<string, string>;
      cause?: unknown;
    } = {},
  ) {
    const boundary: Boundary = boundaries[code];
    const envelope = toBlocked(code, details);
    // A refusal is an answer, and nobody reads its stack, which takes longer to make than all the rest of it.
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(envelope.reason, { cause: details.cause });
    Error.stackTraceLimit = stackTraceLimit;
    this.status = boundary.status;
    this.headers = { ...boundary.headers, ...details.headers };
    this.envelope = envelope;
  }
}

/** What a caller is told of an error; the fault behind it, where it is ours, is reported. */
export function toRefusal(error: unknown, report?: (fault: unknown) => void): Refusal {
  const refusal = error instanceof Refusal ? error : new Refusal('internal', { cause: error });
  if (refusal.cause !== undefined) report?.(refusal.cause);
  return refusal;
}
