import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { refuseRaw } from './raw-reply.ts';

/** Connections beyond the ceiling that may be told so at once; the rest are closed without a word. */
const spare = 256;

/** How often connections are looked over for those out of time, in milliseconds. */
export const lookEveryMs = 1000;

/**
 * Ends connections whose caller takes none of an answer for `seconds`. A time-out on every connection would be put
 * off with every read and write, a fortieth of what an answer from memory costs; so only those get one that have an
 * answer waiting when they are looked over.
 */
export function endStalled(open: Iterable<Socket>, seconds: number): void {
  const look = () => {
    for (const socket of open) {
      if (socket.writableLength > 0 && !socket.timeout) socket.setTimeout(seconds * 1000);
    }
  };
  setInterval(look, lookEveryMs).unref();
}

/**
 * Keeps the connections of a server below a ceiling, before any of them costs a parser. One more is
 * answered 503 and closed. Answers the open ones, for a drain.
 */
export function guardConnections(server: Server, ceiling: number, onRefused: () => void): Set<Socket> {
  const open = new Set<Socket>();
  const [attach] = server.listeners('connection') as ((socket: Socket) => void)[];
  server.removeAllListeners('connection');
  server.maxConnections = ceiling + spare;
  server.on('drop', onRefused);
  server.on('connection', (socket: Socket) => {
    if (open.size >= ceiling) {
      onRefused();
      socket.on('error', () => socket.destroy()).resume();
      refuseRaw(socket, 'too_many_connections');
      return;
    }
    open.add(socket);
    socket.once('close', () => open.delete(socket));
    attach!.call(server, socket);
  });
  return open;
}
