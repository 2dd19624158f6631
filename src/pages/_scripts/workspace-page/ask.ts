import { isLive } from '../live.ts';
import { toHeaders } from './access.ts';

// biome-ignore lint/suspicious/noExplicitAny: an envelope of any operation
type Envelope = any;

/** What was answered, and the tag that tells this version from others. */
export interface Told {
  status: number;
  body: Envelope;
  tag: string | undefined;
}

/** A refusal, in the service's own words. `status` is 0 where nothing answered. */
export class Refused extends Error {
  readonly status: number;
  readonly body: Envelope;

  constructor(status: number, body: Envelope = {}) {
    super(
      status === 0
        ? 'The service could not be reached. What you wrote is still here; try again in a moment.'
        : (body.reason ?? body.message ?? body.statement ?? body.title ?? `The service answered ${status}.`),
    );
    this.status = status;
    this.body = body;
  }

  get code(): string | undefined {
    return this.body?.code;
  }
}

/** Answers that are kept to be confirmed by a 304, the latest last. */
const kept = new Map<string, Told>();
const mostKept = 60;
/** The key of a write that may have been done: the same write sent again counts once. */
const keys = new Map<string, string>();

const makeKey = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  );

function keep(path: string, told: Told): void {
  kept.delete(path);
  if (told.tag) kept.set(path, told);
  if (kept.size > mostKept) kept.delete(kept.keys().next().value!);
}

/** Forgets what was read: another workspace is another reader. */
export function forgetAnswers(): void {
  kept.clear();
}

async function request(path: string, init: RequestInit): Promise<Response> {
  try {
    if (!(await isLive())) throw new Error('nothing answers here');
    return await fetch(path, { ...init, cache: 'no-store' });
  } catch {
    throw new Refused(0);
  }
}

async function readBody(response: Response): Promise<Envelope> {
  try {
    return await response.json();
  } catch {
    return {};
  }
}

/** Reads; what has not changed is not sent again. Throws Refused unless 200, and 404 where `orNothing`. */
export async function read(path: string, { orNothing = false } = {}): Promise<Told> {
  const before = kept.get(path);
  const response = await request(path, {
    headers: { ...toHeaders(), ...(before?.tag && { 'If-None-Match': before.tag }) },
  });
  if (response.status === 304 && before) return { ...before, status: 304 };
  const body = await readBody(response);
  const told = { status: response.status, body, tag: response.headers.get('ETag') ?? undefined };
  if (!response.ok && !(orNothing && response.status === 404)) throw new Refused(response.status, body);
  keep(path, told);
  return told;
}

/** Writes; `tag` holds it to the version that was read. Throws Refused unless 2xx. */
export async function write(
  method: 'POST' | 'PATCH' | 'DELETE',
  path: string,
  body?: object,
  tag?: string,
): Promise<Told> {
  const text = body && JSON.stringify(body);
  const name = [method, path, tag, text].join('\n');
  const key = keys.get(name) ?? makeKey();
  keys.set(name, key);
  const response = await request(path, {
    method,
    headers: {
      ...toHeaders(),
      'Idempotency-Key': key,
      ...(text && { 'Content-Type': 'application/json' }),
      ...(tag && { 'If-Match': tag }),
    },
    ...(text && { body: text }),
  });
  const answer = await readBody(response);
  if (response.status < 500) keys.delete(name);
  if (!response.ok) throw new Refused(response.status, answer);
  return { status: response.status, body: answer, tag: response.headers.get('ETag') ?? undefined };
}
