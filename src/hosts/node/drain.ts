import type { Server } from 'node:http';
import type { Connections } from './connections.ts';

const everyMs = 20;
/** Milliseconds for a request that was on its way when the server stopped to arrive. */
const graceMs = 1000;

/**
 * Stops a server: nothing new is accepted, requests in flight are answered, and connections are closed as
 * they fall idle. Resolves when none is open, or after `limitMs` with the rest cut off.
 */
export function drain(server: Server, connections: Connections, limitMs: number): Promise<void> {
  const start = performance.now();
  server.prependListener('request', (_, response) => {
    response.shouldKeepAlive = false;
  });
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  const timer = setInterval(() => {
    const elapsed = performance.now() - start;
    if (elapsed >= limitMs) connections.close('all');
    else if (elapsed >= graceMs) connections.close('idle');
  }, everyMs);
  return closed.finally(() => clearInterval(timer));
}
