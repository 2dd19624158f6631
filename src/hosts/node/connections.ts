import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { isLoopback, toClientAddress, toNetwork } from '../../kernel/client-address.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { countUntaken } from './beneath-node.ts';
import { type Exchange, parseOneAtATime } from './one-at-a-time.ts';
import { refuseRaw } from './raw-reply.ts';
import type { NodeSettings } from './settings.ts';

/** Connections beyond the ceiling that may be told so at once; the rest are closed without a word. */
const spare = 256;

/** How often connections are looked over for those out of time, in milliseconds. */
export const lookEveryMs = 1000;

/** Something that counts in a share. */
interface Owned {
  /** Whose share it is, if anybody's. */
  owner: string | undefined;
}

interface Connection extends Owned {
  socket: Socket;
  exchange: Exchange;
  /** The answer to the last request that began. */
  response?: ServerResponse;
  /** The address of its peer, in one form. */
  peer: string;
  /** Whether a request began since it was looked over, and when it was last seen busy (`performance.now()`). */
  hasBegun: boolean;
  busyAt: number;
  /** When its reader last took some of an answer, and how many bytes were left then. */
  takenAt: number;
  untaken: number;
}

/** The open connections of a server. */
export interface Connections {
  /** Tells of a request as soon as its head is parsed. Throws `connection_share`. */
  begin(request: IncomingMessage, response: ServerResponse): void;
  /** The address that a request came from: the peer or, behind proxies of ours, their caller. */
  clientOf(request: IncomingMessage): string;
  /** From now on each answer is the last of its connection. */
  stop(): void;
  /** Parses nothing more of what comes on a connection. */
  end(socket: Socket): void;
  /** Whether an answer was begun to a request of which not all has come. */
  isAnswered(socket: Socket): boolean;
  count(): number;
  /** Those with a request whose answer has not left. */
  countBusy(): number;
  /** Closes those without a request that waits for its answer, or all. */
  close(which: 'idle' | 'all'): void;
}

/** Why a connection is turned away. */
type Turned = 'too_many_connections' | 'connection_share';

type Chosen = Pick<
  NodeSettings,
  | 'LISTEN'
  | 'MAX_CONNECTIONS'
  | 'CONNECTIONS_PER_CLIENT'
  | 'KEEP_ALIVE_SECONDS'
  | 'REQUEST_TIMEOUT_SECONDS'
  | 'TRUST_PROXY'
>;

/**
 * Guards the connections of a server: below a ceiling, before any of them costs a parser; each client below its
 * share (an IPv6 /64 is one client); one message at a time on each; and none that rests for longer than
 * KEEP_ALIVE_SECONDS, whatever blank bytes come, or whose reader takes none of an answer for
 * REQUEST_TIMEOUT_SECONDS. A client is the peer of the connection or, behind proxies of ours, the one that a
 * request came from. Loopback without a proxy is the operator's own machine, and has no share.
 */
export function guardConnections(
  server: Server,
  settings: Chosen,
  onRefused: (code: Turned) => void,
): Connections {
  const open = new Map<Socket, Connection>();
  const shares = new Map<string, number>();
  let isStopping = false;

  function leave({ owner }: Owned): void {
    if (owner === undefined) return;
    const left = shares.get(owner)! - 1;
    if (left > 0) shares.set(owner, left);
    else shares.delete(owner);
  }

  function clientOf(request: IncomingMessage): string {
    const peer = open.get(request.socket)?.peer ?? '';
    if (settings.TRUST_PROXY === 0) return peer;
    const forwarded = request.headers['x-forwarded-for'] as string | undefined;
    return toClientAddress(peer, forwarded, settings.TRUST_PROXY);
  }

  /** Counts a connection in the share of a client; false where that is used up. */
  function claim(connection: Owned, client: string): boolean {
    const owner = settings.TRUST_PROXY === 0 && isLoopback(client) ? undefined : toNetwork(client);
    if (owner === connection.owner) return true;
    const count = owner === undefined ? 0 : (shares.get(owner) ?? 0);
    if (count >= settings.CONNECTIONS_PER_CLIENT) return false;
    leave(connection);
    connection.owner = owner;
    if (owner !== undefined) shares.set(owner, count + 1);
    return true;
  }

  function turnAway(socket: Socket, code: Turned): void {
    onRefused(code);
    socket.resume();
    refuseRaw(socket, code);
  }

  function look(): void {
    const now = performance.now();
    for (const connection of open.values()) {
      const { socket, exchange } = connection;
      const untaken = countUntaken(socket);
      if (untaken === 0 || untaken !== connection.untaken) connection.takenAt = now;
      connection.untaken = untaken;
      if (connection.hasBegun || exchange.isBusy()) connection.busyAt = now;
      connection.hasBegun = false;
      const hasStalled = now - connection.takenAt >= settings.REQUEST_TIMEOUT_SECONDS * 1000;
      const hasRested = now - connection.busyAt >= settings.KEEP_ALIVE_SECONDS * 1000;
      if (hasStalled || hasRested) socket.destroy();
    }
  }

  const [attach] = server.listeners('connection') as ((socket: Socket) => void)[];
  server.removeAllListeners('connection');
  server.maxConnections = settings.MAX_CONNECTIONS + spare;
  server.on('drop', () => onRefused('too_many_connections'));
  server.on('connection', (socket: Socket) => {
    if (open.size >= settings.MAX_CONNECTIONS) return turnAway(socket, 'too_many_connections');
    const now = performance.now();
    // Who connects to a unix socket is on this machine, and has no address.
    const address = settings.LISTEN === '' ? (socket.remoteAddress ?? '') : '127.0.0.1';
    const peer = toClientAddress(address, undefined, 0);
    const share: Owned = { owner: undefined };
    if (settings.TRUST_PROXY === 0 && !claim(share, peer)) return turnAway(socket, 'connection_share');
    attach!.call(server, socket);
    const times = { hasBegun: false, busyAt: now, takenAt: now, untaken: 0 };
    const connection: Connection = { ...share, socket, peer, exchange: parseOneAtATime(socket), ...times };
    open.set(socket, connection);
    socket.once('close', () => {
      open.delete(socket);
      leave(connection);
    });
  });
  setInterval(look, lookEveryMs).unref();

  return {
    begin(request, response) {
      const connection = open.get(request.socket)!;
      connection.hasBegun = true;
      connection.response = response;
      connection.exchange.begin(request, response);
      if (isStopping) response.shouldKeepAlive = false;
      if (settings.TRUST_PROXY === 0 || claim(connection, clientOf(request))) return;
      onRefused('connection_share');
      response.shouldKeepAlive = false;
      throw new Refusal('connection_share');
    },
    clientOf,
    stop() {
      isStopping = true;
      for (const { exchange } of open.values()) exchange.endWithAnswer();
    },
    end: (socket) => open.get(socket)?.exchange.end(),
    isAnswered(socket) {
      const response = open.get(socket)?.response;
      return response?.headersSent === true && !response.req.complete;
    },
    count: () => open.size,
    countBusy: () => [...open.values()].filter(({ exchange }) => exchange.isAnswering()).length,
    close(which) {
      for (const { socket, exchange } of open.values())
        if (which === 'all' || (!exchange.isAnswering() && socket.writableLength === 0)) socket.destroy();
    },
  };
}
