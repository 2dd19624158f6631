import { type AddressInfo, Server as NetServer, type Server } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { Connections } from './connections.ts';
import type { NodeSettings } from './settings.ts';

/** Milliseconds that a name in HOST may take to resolve. */
const resolveMs = 1500;

/** What to set instead, for the codes of an operating system that refuses an address. */
function toAdvice(code: string | undefined, { HOST, PORT }: Pick<NodeSettings, 'HOST' | 'PORT'>): string {
  const host = 'HOST must be an address of this machine, such as 127.0.0.1, or empty for all';
  if (code === 'EADDRINUSE') {
    return `Port ${PORT} is in use. Stop what listens there, or set PORT to another.`;
  }
  if (code === 'EACCES') {
    return `PORT must be one that this user may listen on, such as 4321; ${PORT} is not.`;
  }
  if (/^(ENOTFOUND|EAI_\w+|ETIMEOUT)$/.test(code ?? '')) return `${host}; ${HOST} does not resolve.`;
  if (/^(EADDRNOTAVAIL|EINVAL|EAFNOSUPPORT)$/.test(code ?? '')) return `${host}; ${HOST} is none.`;
  return `HOST ${HOST || '(all)'} and PORT ${PORT} cannot be listened on (${code}). Set others.`;
}

/** Listens where the settings say, and answers the port. Rejects with a plain message within two seconds. */
export function listen(server: Server, settings: Pick<NodeSettings, 'HOST' | 'PORT'>): Promise<number> {
  return new Promise((resolve, reject) => {
    const fail = ({ code }: { code?: string }) => reject(new Error(toAdvice(code, settings)));
    const timer = setTimeout(fail, resolveMs, { code: 'ETIMEOUT' });
    server.once('error', fail);
    server.listen(settings.PORT, settings.HOST || undefined, () => {
      clearTimeout(timer);
      server.off('error', fail);
      resolve((server.address() as AddressInfo).port);
    });
  });
}

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
