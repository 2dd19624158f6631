import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

const everyMs = 20;
/** Milliseconds for a request that was on its way when the server stopped to arrive. */
const graceMs = 1000;

/**
 * Stops a server: nothing new is accepted, requests in flight are answered, and connections are closed as
 * they fall idle. Resolves when none is open, or after `limitMs` with the rest cut off.
 */
export function drain(
  server: Server,
  open: ReadonlySet<Socket>,
  inFlight: ReadonlySet<ServerResponse>,
  limitMs: number,
): Promise<void> {
  const start = performance.now();
  for (const response of inFlight) response.shouldKeepAlive = false;
  server.prependListener('request', (_, response) => {
    response.shouldKeepAlive = false;
  });
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  const timer = setInterval(() => {
    const elapsed = performance.now() - start;
    const busy = new Set([...inFlight].map(({ socket }) => socket));
    for (const socket of open) {
      const isDone = !busy.has(socket) && socket.writableLength === 0 && elapsed >= graceMs;
      if (isDone || elapsed >= limitMs) socket.destroy();
    }
  }, everyMs);
  return closed.finally(() => clearInterval(timer));
}
