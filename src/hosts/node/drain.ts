import { Server as NetServer, type Server } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { Connections } from './connections.ts';

const everyMs = 20;
/** Milliseconds for a request that was on its way when the server closed to arrive. */
const arrivalMs = 1000;

/** How a server stops, in milliseconds. */
interface StopTimes {
  /** For how long it goes on as before, but that each answer is the last of its connection. */
  graceMs: number;
  /** How long requests in flight may take after that. */
  limitMs: number;
}

/**
 * Stops a server. First the grace: a balancer learns of the stop by asking, and what it sends until then is
 * answered. Then nothing new is accepted, requests in flight are answered, and connections are closed as
 * they fall idle. Resolves when none is open, or after `limitMs` with the rest cut off.
 */
export async function drain(
  server: Server,
  connections: Connections,
  { graceMs, limitMs }: StopTimes,
): Promise<void> {
  connections.stop();
  if (graceMs > 0) await pause(graceMs);
  const start = performance.now();
  // As a server of connections: one of HTTP would also end those that rest, with requests on their way to them.
  const closed = new Promise<void>((resolve) => NetServer.prototype.close.call(server, () => resolve()));
  const timer = setInterval(() => {
    const elapsed = performance.now() - start;
    if (elapsed >= limitMs) connections.close('all');
    else if (elapsed >= arrivalMs) connections.close('idle');
  }, everyMs);
  return closed.finally(() => clearInterval(timer));
}
