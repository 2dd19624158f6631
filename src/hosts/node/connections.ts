import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { toRefusalReply } from '../../kernel/answer.ts';
import { type CallerRules, findCaller, isExempt, type Sender, toIdentity } from '../../kernel/caller.ts';
import { toClientAddress } from '../../kernel/client-address.ts';
import { UseByClient } from '../../kernel/client-keys.ts';
import { createRateLimit } from '../../kernel/rate-limit.ts';
import { Refusal, type RefusalCode } from '../../kernel/refusal.ts';
import { eventLoop, reportOpened } from '../node-platform.ts';
import { createPause } from '../pause.ts';
import { countUnread, STATUS_CODES } from './node-internals.ts';
import { closeAfter, type Exchange, parseOneAtATime } from './pipelining.ts';
import { readHeader } from './request.ts';
import type { NodeSettings } from './settings.ts';

/** Connections above the ceiling that are answered before they are closed; the rest are closed unanswered. */
const spare = 256;

/** Milliseconds for a request that was on its way when the server closed to arrive. */
const arrivalMs = 1000;

/** How often connections are checked for timeouts, in milliseconds. */
export const checkEveryMs = 1000;

interface Connection {
  /** The client in whose share it counts, if in any. */
  owner: string | undefined;
  /** The address of its peer, in one form. */
  peer: string;
  socket: Socket;
  exchange: Exchange;
  /** The answer to the last request that began. */
  response?: ServerResponse;
  /** When it was last busy (`performance.now()`). */
  busyAt: number;
  /** When its reader last took some of an answer, and how many bytes were left then. */
  readAt: number;
  unread: number;
}

type ConnectionRefusal = 'too_many_connections' | 'connection_share' | 'no_request';

/** Called when something happens to a connection. */
interface ConnectionEvents {
  onRefused(code: ConnectionRefusal): void;
  /** A proxy forwarded a request, but TRUST_PROXY is 0. */
  onProxied(): void;
  /** A fault that ended a connection. */
  onFault(error: unknown): void;
}

/** A request that was accepted, or is refused for its connection. */
export interface Arrival {
  /** What limits count its caller under. */
  client: string;
  refusal: Refusal | undefined;
  /** All that is known of its caller, as one text. */
  identify(): string;
  /** Called before the head of the answer is written: decides whether the connection goes on after it. */
  prepareAnswer(): void;
}

/** The sender of a request that came over a connection with this peer. */
function toSender(peer: string, request: IncomingMessage): Sender {
  return {
    peer,
    header(name) {
      const value = readHeader(request, name);
      return Array.isArray(value) ? value.join(', ') : value;
    },
  };
}

/** The bytes of a refusal where no request was parsed that Node could answer. */
function toRefusalBytes(code: RefusalCode): string {
  const { status, headers, body } = toRefusalReply(new Refusal(code));
  const fields = { ...headers, 'Content-Length': Buffer.byteLength(body), Connection: 'close' };
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`;
}

/**
 * Guards the connections of a server: fewer than MAX_CONNECTIONS, before any of them costs a parser;
 * CONNECTIONS_PER_CLIENT each (by the keys of `toClientKeys`), and twice as many in a minute that make no request: beyond
 * those, each is closed at once; one message at a time on each. Closes one that rests for
 * KEEP_ALIVE_SECONDS and then sends no head in HEADER_TIMEOUT_SECONDS, whatever blank bytes arrive, and one whose
 * reader takes none of an answer for REQUEST_TIMEOUT_SECONDS. A client is the peer of the connection, or the caller that
 * its last request came from. The operator of this machine has no share.
 */
export function guardConnections(server: Server, settings: NodeSettings, events: ConnectionEvents) {
  const { onRefused, onProxied, onFault } = events;
  const open = new Map<Socket, Connection>();
  const shares = new UseByClient();
  const rules: CallerRules = {
    proxies: settings.TRUST_PROXY,
    origins: [settings.BASE_URL, ...settings.ALLOWED_ORIGINS].filter(Boolean),
  };
  const most = settings.CONNECTIONS_PER_CLIENT;
  const silent = createRateLimit({ name: 'silent', windowSeconds: 60, quota: 2 * most });
  /** Not those of the core: many connections would delay each search, and many searches each connection. */
  const takeTurn = createPause(eventLoop);
  let isStopping = false;

  const toOwner = (client: string) => (isExempt(client, rules) ? undefined : client);

  /** Moves a connection from the share of one owner to that of another; false if that one is used up. */
  function move(from: string | undefined, to: string | undefined): boolean {
    if (from === to) return true;
    if (from !== undefined) shares.add(from, -1);
    const hasRoom = to === undefined || shares.hasRoom(to, 1, most);
    const owner = hasRoom ? to : from;
    if (owner !== undefined) shares.add(owner, 1);
    return hasRoom;
  }

  function refuseNew(socket: Socket, code: Exclude<ConnectionRefusal, 'no_request'>): void {
    onRefused(code);
    closeAfter(socket, toRefusalBytes(code));
  }

  const restMs = (settings.KEEP_ALIVE_SECONDS + settings.HEADER_TIMEOUT_SECONDS) * 1000;

  function check(): void {
    const now = performance.now();
    for (const connection of open.values()) {
      const { socket, exchange } = connection;
      const unread = countUnread(socket);
      if (unread === 0 || unread !== connection.unread) connection.readAt = now;
      connection.unread = unread;
      if (exchange.isBusy()) connection.busyAt = now;
      const hasStalled = now - connection.readAt >= settings.REQUEST_TIMEOUT_SECONDS * 1000;
      if (hasStalled || now - connection.busyAt >= restMs) socket.destroy();
    }
  }

  const [attach] = server.listeners('connection') as ((socket: Socket) => void)[];
  server.removeAllListeners('connection');
  server.maxConnections = settings.MAX_CONNECTIONS + spare;
  server.on('drop', () => onRefused('too_many_connections'));
  server.on('connection', (socket: Socket) => {
    reportOpened();
    // A caller on a unix socket is on this machine, and has no address.
    const address = settings.LISTEN === '' ? (socket.remoteAddress ?? '') : '127.0.0.1';
    // The library takes as long for an IPv4-mapped address as all the rest does.
    const peer = toClientAddress(address.replace(/^::ffff:(?=[\d.]+$)/, ''), undefined, 0);
    const owner = settings.TRUST_PROXY === 0 ? toOwner(peer) : undefined;
    if (owner !== undefined && !silent.take(owner, performance.now()).allowed) {
      onRefused('no_request');
      socket.destroy();
      return;
    }
    if (open.size >= settings.MAX_CONNECTIONS) return refuseNew(socket, 'too_many_connections');
    if (!move(undefined, owner)) return refuseNew(socket, 'connection_share');
    attach!.call(server, socket);
    const exchange = parseOneAtATime(socket, () => takeTurn(peer), onFault);
    const now = performance.now();
    const connection: Connection = { owner, socket, peer, exchange, busyAt: now, readAt: now, unread: 0 };
    open.set(socket, connection);
    socket.once('close', () => {
      open.delete(socket);
      move(connection.owner, undefined);
    });
  });
  setInterval(check, checkEveryMs).unref();

  /** Closes connections without a request that waits for its answer, or all. */
  function close(which: 'idle' | 'all'): void {
    for (const { socket, exchange } of open.values())
      if (which === 'all' || (!exchange.isAnswering() && socket.writableLength === 0)) socket.destroy();
  }

  return {
    /** Reports a request as soon as its head is parsed. Refuses it if its client has too many connections. */
    begin(request: IncomingMessage, response: ServerResponse): Arrival {
      const connection = open.get(request.socket)!;
      connection.busyAt = performance.now();
      if (!connection.response && connection.owner !== undefined) silent.giveBack(connection.owner);
      connection.response = response;
      connection.exchange.begin(request, response);
      if (isStopping) response.shouldKeepAlive = false;
      const sender = toSender(connection.peer, request);
      const { client, isProxied } = findCaller(sender, rules);
      if (isProxied) onProxied();
      const owner = toOwner(client);
      const hasRoom = move(connection.owner, owner);
      if (hasRoom) connection.owner = owner;
      else onRefused('connection_share');
      return {
        client,
        refusal: hasRoom ? undefined : new Refusal('connection_share'),
        identify: () => toIdentity(sender, rules),
        prepareAnswer: connection.exchange.prepareAnswer,
      };
    },
    /** As that of the arrival of a request. */
    prepareAnswer: ({ socket }: IncomingMessage): void => open.get(socket)?.exchange.prepareAnswer(),
    /** Answers bytes that are not a request, parses nothing more and closes the connection. */
    refuse(socket: Socket, code: RefusalCode): void {
      const { exchange, response } = open.get(socket) ?? {};
      exchange?.end();
      // A second answer to one request would be taken for the answer to the next.
      const isAnswered = response?.headersSent && !response.req.complete;
      closeAfter(socket, isAnswered ? '' : toRefusalBytes(code));
    },
    count: () => open.size,
    /** Connections with a request whose answer has not left. */
    countBusy: () => [...open.values()].filter(({ exchange }) => exchange.isAnswering()).length,
    /**
     * Stops the server. First the grace: a balancer learns of the stop by asking, and what it sends until then is
     * answered, each the last answer of its connection. Then nothing new is accepted, and connections are closed as they
     * fall idle. Resolves when none is open, or after `DRAIN_SECONDS` with the rest cut off.
     */
    async stop(graceSeconds: number): Promise<void> {
      isStopping = true;
      for (const { exchange } of open.values()) exchange.endWithAnswer();
      if (graceSeconds > 0) await pause(graceSeconds * 1000);
      const from = performance.now();
      // As a server of connections: one of HTTP would also end those that rest, with requests on their way to them.
      const closed = new Promise<void>((resolve) => NetServer.prototype.close.call(server, () => resolve()));
      const timer = setInterval(() => {
        const elapsed = performance.now() - from;
        if (elapsed >= settings.DRAIN_SECONDS * 1000) close('all');
        else if (elapsed >= arrivalMs) close('idle');
      }, 20);
      await closed;
      clearInterval(timer);
    },
  };
}
