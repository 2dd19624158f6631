import { explainIssues, type Issue, limitIssues } from './envelope.ts';

/** Every refusal, by status. The code is stable. The reason says what to send instead. */
const reasons = {
  400: {
    invalid_request: 'The request is not valid; issues names each place.',
    invalid_json: 'The body is not JSON. Send one JSON object in UTF-8.',
    not_an_object: 'The body must be one JSON object, such as {"name": "…"}.',
    invalid_path: 'The path cannot be decoded. Percent-encode it as UTF-8.',
    invalid_http: 'This is not a well-formed HTTP/1.1 request.',
    wrong_proof: 'This is not a valid proof of work. Get a challenge, and solve that one.',
    wrong_passkey: 'The answer of this passkey is not valid. Start again, with a passkey made here.',
  },
  401: {
    unknown_workspace:
      'No such workspace: it never existed, or it expired. Leave the workspace out to read the public seed. A create without it mints a new workspace.',
    unknown_confirmation:
      'No such confirmation: it never existed, was replaced, or has expired. Ask the sender for a new one.',
    unknown_shortlist:
      'No such shortlist: it never existed, was replaced, or has expired. Ask the sender for a new link.',
    unknown_grader: 'No such grader: the token is unknown or has expired. Start the brief again.',
    unknown_claim:
      'No such claim: it never existed, was used or replaced, or has expired. Ask the agent to start a new one.',
    unknown_owner:
      'Only the signed-in owner of a claimed workspace may do this. The bearer is missing, wrong or expired. Sign in again at /workspace.html.',
  },
  403: {
    owner_only: 'Only the person who claimed this workspace may do this, signed in at /workspace.html.',
    forbidden_scope:
      'Callers cannot use the scopes admin and internal. Leave scope out, or send public or workspace.',
    read_only:
      'This record belongs to the public seed, which nobody can change. Create your own, and change that.',
    forbidden_origin:
      'This Origin or Host may not call /mcp. Call the published address. If you run this service, add the origin of the page to ALLOWED_ORIGINS.',
  },
  405: { method_not_allowed: 'This address accepts other methods; see Allow.' },
  408: { request_timeout: 'The request took too long to arrive. Send it again, whole.' },
  409: {
    conflict: 'This conflicts with other records. Leave out handling=strict to get a warning instead.',
    illegal_transition: 'This status cannot follow the one that it has now.',
    not_started: 'It has no start date, or one in the future, so no outcome can be stated yet.',
    no_outcome: 'No outcome is stated, so there is nothing to confirm. State one first.',
    outcome_closed: 'The outcome can no longer change: it is validated, or its time is over.',
    already_answered:
      'This was already answered differently. An answer is final until the statement changes.',
    nothing_proposed:
      'Nobody is proposed for it, so there is nothing to share. Propose somebody first: status "proposed".',
    pending: 'A link to this shortlist is out already. Send "replace": true to void it and get another.',
    already_decided: 'This was already decided differently. The first decision counts.',
    order_closed: 'It is closed, so nothing more is decided on it.',
    spent: 'This challenge was already paid for. Get another one.',
    at_limit: 'This workspace has earned as much as it may for now.',
    already_claimed: 'This workspace is already claimed, and stays with its owner.',
    not_live: 'This cannot be done here.',
    too_many_proposals: 'As many are open for this one as it takes. Accept or decline some of them first.',
    duplicate_ref:
      'Another record of this kind in the workspace has this ref. Use another ref, or change that record.',
  },
  412: {
    changed:
      'The record has changed since you read it. Read it again, and send the change with its new ETag or revision.',
    weak_tag:
      'If-Match needs a strong tag, and W/ marks a weak one: a proxy makes it so when it compresses. Read it again with Accept-Encoding: identity, and send its ETag as you get it.',
  },
  413: { body_too_large: 'The body is larger than 64 KiB (65,536 bytes). Send less.' },
  415: { unsupported_media: 'Send the body as application/json, without a Content-Encoding.' },
  422: {
    idempotency_mismatch:
      'This Idempotency-Key was used for another request. Send a new key, or the same body as before.',
  },
  429: {
    rate_limited: 'Too many requests from this address. Wait for the seconds in Retry-After.',
    connection_share:
      'This address has too many connections open. Reuse one for many requests, and try again when others have closed.',
    work_share:
      'This address has too many large reads waiting. Send fewer at once, and this one again in a moment.',
    storage_share:
      'This address, or the owner of this workspace, has added too many bytes in a day. Wait for the seconds in Retry-After. Reads and deletes still work.',
  },
  431: {
    headers_too_large:
      'The request line and headers are larger than 16 KiB, or close to a thousand lines. Send less.',
  },
  500: { internal: 'Something went wrong here, not with your request. Send it again.' },
  505: { http_version: 'Only HTTP/1.1 and HTTP/1.0 are supported. Send the request as one of them.' },
  503: {
    too_many_connections:
      'Too many connections are open here. Try again in a moment, and reuse one connection for many requests.',
    too_busy: 'Too many large bodies are arriving at once. Send it again in a moment, or send less.',
    stopping: 'This process is stopping. Send new requests to another.',
    store_full:
      'The workspace store is full, so nothing was added. Send it again later. Reads, deletes, changes that add little, and answers to confirmations and shortlists still work.',
    store_unavailable:
      'The workspace store does not answer, so nothing was acknowledged. Send the request again later. With an Idempotency-Key a repeated POST counts once.',
  },
} as const;

type KeysOf<T> = T extends unknown ? keyof T : never;
export type RefusalCode = KeysOf<(typeof reasons)[keyof typeof reasons]>;

const retry = { 'Retry-After': '2' };
const formatChallenge = (challenge: string) => ({ 'WWW-Authenticate': challenge });
const headersByCode: Partial<Record<RefusalCode, Record<string, string>>> = {
  unknown_workspace: formatChallenge('Workspace realm="sandbox"'),
  unknown_confirmation: formatChallenge('Confirmation realm="sandbox"'),
  unknown_claim: formatChallenge('Claim realm="sandbox"'),
  unknown_owner: formatChallenge('Bearer realm="owner"'),
  connection_share: retry,
  work_share: retry,
  too_many_connections: retry,
  too_busy: retry,
  stopping: retry,
  store_unavailable: retry,
  store_full: { 'Retry-After': '60' },
};

const refusals = Object.fromEntries(
  Object.entries(reasons).flatMap(([status, byCode]) =>
    Object.entries(byCode).map(([code, reason]) => [code, { status: Number(status), reason }]),
  ),
) as Record<RefusalCode, { status: number; reason: string }>;

/** A more exact reason, and the issues. */
interface Details {
  reason?: string;
  issues?: readonly Issue[] | undefined;
}

/** Creates the BLOCKED envelope of a refusal. */
export function createBlocked(code: RefusalCode, { reason = refusals[code].reason, issues }: Details = {}) {
  if (!issues) return { type: 'BLOCKED' as const, code, reason };
  const places = code === 'invalid_request' || code === 'conflict' ? explainIssues(issues) : reason;
  const whole = code === 'conflict' ? `${places} ${reason}` : places;
  return { type: 'BLOCKED' as const, code, reason: whole, issues: limitIssues(issues) };
}

/** A refused call. Any rule may throw it, and the protocols catch it. `cause` is the fault behind it, if any. */
export class Refusal extends Error {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly envelope: ReturnType<typeof createBlocked>;

  constructor(
    code: RefusalCode,
    details: Details & { headers?: Record<string, string>; cause?: unknown } = {},
  ) {
    const envelope = createBlocked(code, details);
    // The stack of a refusal is never read, and collecting it takes longer than all the rest.
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(envelope.reason, { cause: details.cause });
    Error.stackTraceLimit = stackTraceLimit;
    this.status = refusals[code].status;
    this.headers = { ...headersByCode[code], ...details.headers };
    this.envelope = envelope;
  }
}

/** The refusal of a method at an address that takes only the methods in `allow` (RFC 9110 section 10.2.1). */
export const createMethodRefusal = (allow: string) =>
  new Refusal('method_not_allowed', {
    reason: `This address takes no other methods than ${allow}. /api.md has every operation.`,
    headers: { Allow: allow },
  });

/** Turns any error into a Refusal: `internal` if it is another error. Reports the fault behind it. */
export function toRefusal(error: unknown, report?: (fault: unknown) => void): Refusal {
  const refusal = error instanceof Refusal ? error : new Refusal('internal', { cause: error });
  if (refusal.cause !== undefined) report?.(refusal.cause);
  return refusal;
}
