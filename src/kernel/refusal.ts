import { explainIssues, limitIssues, type WordedIssue, wordIssues } from './envelope.ts';
import {
  compose,
  formatWording,
  keyPart,
  strictPart,
  type Wording,
  type WordPart,
  wordForHttp,
} from './wording.ts';

/** One way in which a call is refused. */
export interface RefusalKind {
  /** Stable, for programs. */
  code: string;
  status: number;
  /** What to send instead. */
  reason: Wording;
  headers?: Readonly<Record<string, string>> | undefined;
}

type KeysOf<T> = T extends unknown ? keyof T : never;

/** Kinds of refusal by their codes, from their reasons by status and code; `headers` are those that some have. */
/* @__NO_SIDE_EFFECTS__ */
export function defineRefusals<const T extends Readonly<Record<number, Readonly<Record<string, Wording>>>>>(
  reasons: T,
  headers: Partial<Record<KeysOf<T[keyof T]>, RefusalKind['headers']>> = {},
): Record<KeysOf<T[keyof T]>, RefusalKind> {
  const kinds = Object.entries(reasons).flatMap(([status, byCode]) =>
    Object.entries(byCode).map(([code, reason]) => {
      const own = (headers as Record<string, RefusalKind['headers']>)[code];
      return [code, { code, status: Number(status), reason, headers: own }];
    }),
  );
  return Object.fromEntries(kinds);
}

const retry = { 'Retry-After': '2' };

/** The header of a 401 that says what would let the caller in. */
export const createChallenge = (challenge: string) => ({ 'WWW-Authenticate': challenge });

/** Refusals of every service. Domains define more. */
export const commonRefusals = defineRefusals(
  {
    400: {
      invalid_request: 'The request is not valid; issues names each place.',
      invalid_json: 'The body is not JSON. Send one JSON object in UTF-8.',
      not_an_object: 'The body must be one JSON object, such as {"name": "…"}.',
      invalid_path: 'The path cannot be decoded. Percent-encode it as UTF-8.',
      invalid_http: 'This is not a well-formed HTTP/1.1 request.',
    },
    401: {
      unknown_workspace:
        'No such workspace: it never existed, or it expired. Leave the workspace out to read the public seed. A create without it mints a new workspace.',
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
      conflict: compose`This conflicts with other records. Leave out ${strictPart} to get a warning instead.`,
      illegal_transition: 'This status cannot follow the one that it has now.',
      not_live: 'This cannot be done here.',
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
      idempotency_mismatch: compose`This ${keyPart} was used for another request. Send a new key, or the same body as before.`,
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
      store_unavailable: compose`The workspace store does not answer, so nothing was acknowledged. Send the request again later. With an ${keyPart} a repeated POST counts once.`,
    },
  },
  {
    unknown_workspace: createChallenge('Workspace realm="sandbox"'),
    connection_share: retry,
    work_share: retry,
    too_many_connections: retry,
    too_busy: retry,
    stopping: retry,
    store_unavailable: retry,
  },
);

export type RefusalCode = keyof typeof commonRefusals;

const findKind = (kind: RefusalCode | RefusalKind): RefusalKind =>
  typeof kind === 'string' ? commonRefusals[kind] : kind;

/** A more exact reason, and the issues. `limit` is the quota that was used up: it is logged, and never sent. */
interface Details {
  reason?: Wording;
  issues?: readonly WordedIssue<Wording>[] | undefined;
  limit?: string;
}

/** Creates the BLOCKED envelope of a refusal, in the words of a protocol. */
export function createBlocked(
  named: RefusalCode | RefusalKind,
  details: Details = {},
  wordPart: WordPart = wordForHttp,
) {
  const kind = findKind(named);
  const { code } = kind;
  const reason = formatWording(details.reason ?? kind.reason, wordPart);
  if (!details.issues) return { type: 'BLOCKED' as const, code, reason };
  const issues = wordIssues(details.issues, wordPart);
  const places = code === 'invalid_request' || code === 'conflict' ? explainIssues(issues) : reason;
  const whole = code === 'conflict' ? `${places} ${reason}` : places;
  return { type: 'BLOCKED' as const, code, reason: whole, issues: limitIssues(issues) };
}

/** A refused call. Any rule may throw it, and the protocols catch it. `cause` is the fault behind it, if any. */
export class Refusal extends Error {
  readonly kind: RefusalKind;
  readonly headers: Record<string, string>;
  /** As HTTP words it. */
  readonly envelope: ReturnType<typeof createBlocked>;
  readonly details: Details;

  constructor(
    named: RefusalCode | RefusalKind,
    details: Details & { headers?: Record<string, string>; cause?: unknown } = {},
  ) {
    const kind = findKind(named);
    const envelope = createBlocked(kind, details);
    // Nobody reads the stack of a refusal, and collecting it takes longer than all the rest.
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(envelope.reason, { cause: details.cause });
    Error.stackTraceLimit = stackTraceLimit;
    this.kind = kind;
    this.headers = { ...kind.headers, ...details.headers };
    this.envelope = envelope;
    this.details = details;
  }

  get status(): number {
    return this.kind.status;
  }

  /** The envelope in the words of another protocol. */
  wordEnvelope(wordPart: WordPart): ReturnType<typeof createBlocked> {
    return createBlocked(this.kind, this.details, wordPart);
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
