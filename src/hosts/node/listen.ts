import { once } from 'node:events';
import { rmSync, statSync } from 'node:fs';
import { type AddressInfo, connect, type Server } from 'node:net';
import type { NodeSettings } from './settings.ts';

/** Milliseconds that a name in HOST may take to resolve. */
const resolveMs = 1500;

/** What to set instead, for the error codes of an operating system that refuses an address. */
function explainListenError(code: string | undefined, { HOST, PORT, LISTEN }: NodeSettings): string {
  if (LISTEN && code === 'EADDRINUSE') {
    return `LISTEN is ${LISTEN}, where something is, such as a link that leads nowhere. Remove it, or set another.`;
  }
  if (LISTEN) {
    return `LISTEN is ${LISTEN}, which cannot be listened on (${code}): its folder must be there, and be this user's to write to.`;
  }
  const host = 'HOST must be an address of this machine, such as 127.0.0.1, or empty for all';
  if (code === 'EADDRINUSE') {
    return `Port ${PORT} is in use. Stop what listens there, or set PORT to another.`;
  }
  if (code === 'EACCES') {
    return `PORT must be one that this user may listen on, such as 4321; ${PORT} is not.`;
  }
  if (/^(ENOTFOUND|EAI_\w+|ABORT_ERR)$/.test(code ?? '')) return `${host}; ${HOST} does not resolve.`;
  if (/^(EADDRNOTAVAIL|EINVAL|EAFNOSUPPORT)$/.test(code ?? '')) return `${host}; ${HOST} is none.`;
  return `HOST ${HOST || '(all)'} and PORT ${PORT} cannot be listened on (${code}). Set others.`;
}

/** Whether a process listens on a unix socket. Its file may be left over from one that has ended. */
function isAnswered(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path, () => {
      socket.destroy();
      resolve(true);
    });
    // With any other error the socket may belong to a process.
    socket.on('error', ({ code }: NodeJS.ErrnoException) =>
      resolve(code !== 'ECONNREFUSED' && code !== 'ENOENT'),
    );
  });
}

/** Removes the socket that a killed process left at a path. Rejects if anything else is there. */
async function clear(path: string): Promise<void> {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (!stat) return;
  if (!stat.isSocket()) {
    throw new Error(
      `LISTEN is unix:${path}, which is no socket; it was left as it is. Move it, or set another.`,
    );
  }
  if (await isAnswered(path)) {
    throw new Error(`LISTEN is unix:${path}, where a process listens. Stop it, or set another.`);
  }
  rmSync(path, { force: true });
}

/** Only the owner and the group of a socket may use it. */
const socketMask = 0o117;

/** Listens where the settings say, and returns the port. Rejects with a plain message within two seconds. */
export async function listen(server: Server, settings: NodeSettings): Promise<number> {
  const { HOST, PORT, LISTEN } = settings;
  const path = LISTEN.slice('unix:'.length);
  try {
    if (path) await clear(path);
    // The umask covers the moment in which the file of the socket is made, so that it never has more rights.
    const mask = process.umask(socketMask);
    server.listen(path ? { path } : { port: PORT, host: HOST || undefined });
    process.umask(mask);
    await once(server, 'listening', { signal: AbortSignal.timeout(resolveMs) });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw code ? new Error(explainListenError(code, settings)) : error;
  }
  return path ? PORT : (server.address() as AddressInfo).port;
}
