import { isLive } from './live.ts';
import type { ConsoleRequest } from './request.ts';
import { markGone, rememberWorkspace } from './workspace.ts';

// biome-ignore lint/suspicious/noExplicitAny: an envelope of any operation
type Envelope = any;

/** What came back, as a reader wants to see it. */
export interface Received {
  status: number;
  /** `OK`, `EMPTY`, `BLOCKED` or `OFFER`, where the body is an envelope. */
  type: string | undefined;
  headers: [string, string][];
  text: string;
  isJson: boolean;
  milliseconds: number;
  bytes: number;
}

/** The envelope in a body: itself, the structured result of a tool, or what a JSON-RPC error carries. */
function toEnvelope(body: Envelope): Envelope {
  return body?.result?.structuredContent ?? body?.error?.data ?? body;
}

/** Remembers the workspace that a create answered with, and notes one that was refused. */
async function noteWorkspace(envelope: Envelope, status: number, sent: string | undefined): Promise<void> {
  if (typeof envelope?.workspace === 'string' && envelope.retention) {
    await rememberWorkspace(envelope.workspace, envelope.retention.expiresAt);
  } else if (sent && (status === 401 || envelope?.code === 'unknown_workspace')) await markGone(sent);
}

/** Sends a request to this address, once it is known what answers there. Rejects where nothing answers. */
export async function send(request: ConsoleRequest, workspace: string | undefined): Promise<Received> {
  const { method, target, headers, body } = request;
  await isLive();
  const start = performance.now();
  const response = await fetch(target, { method, headers, body, cache: 'no-store' });
  const text = await response.text();
  const milliseconds = performance.now() - start;
  const isJson = /json/.test(response.headers.get('content-type') ?? '') && text !== '';
  const envelope = isJson ? toEnvelope(JSON.parse(text)) : undefined;
  await noteWorkspace(envelope, response.status, workspace);
  return {
    status: response.status,
    type: typeof envelope?.type === 'string' ? envelope.type : undefined,
    headers: [...response.headers],
    text: isJson ? JSON.stringify(JSON.parse(text), null, 2) : text,
    isJson,
    milliseconds,
    bytes: new TextEncoder().encode(text).length,
  };
}
