import type { Call, Reply } from '../kernel/call.ts';

/** The plain call in a web Request (Fetch standard), for hosts that have nothing closer to the wire. */
export async function toCall(request: Request): Promise<Call> {
  const url = new URL(request.url);
  return {
    method: request.method,
    path: url.pathname,
    query: url.search.slice(1),
    headers: Object.fromEntries(request.headers),
    body: new Uint8Array(await request.arrayBuffer()),
  };
}

/** The web Response of a reply. */
export function toResponse({ status, headers, body }: Reply): Response {
  return new Response(body === '' ? null : body, { status, headers });
}
