import type { Call, Reply } from '../kernel/call.ts';

/** Returns the plain call of a web Request (Fetch standard). */
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

export function toResponse({ status, headers, body }: Reply): Response {
  return new Response(body === '' ? null : body, { status, headers });
}
