import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import {
  type CallerRules,
  describeCaller,
  findCaller,
  findClientAddress,
  isExempt,
  type Sender,
} from '../../kernel/caller.ts';
import { UseByClient } from '../../kernel/client-keys.ts';
import { RateLimit } from '../../kernel/rate-limit.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { reportOpened } from '../node-platform.ts';
import { Connection, closeAfter } from './connection.ts';
import { Intake } from './intake.ts';
import type { NodeSettings } from './settings.ts';
import { encodeRefusal } from './write-reply.ts';

/**
 * Connections above the limit that get an answer before they are closed. Any more are closed without one. Each is held
 * for a second, because nothing is read from it.
 */
const spare = 256;

/** Milliseconds for a request to arrive that was on its way when the server closed. */
const arrivalMs = 1000;

/** Milliseconds between two checks of a server that stops. */
const lookMs = 20;

type ConnectionRefusal = 'too_many_connections' | 'connection_share' | 'no_request';

/** Called when something happens to connections. */
interface ConnectionEvents {
  onRefused(code: ConnectionRefusal): void;
  /** A proxy forwarded a request, but TRUST_PROXY is 0. */
  onProxied(): void;
}

/** The caller of a request. */
export interface Arrival {
  connection: Connection;
  /** The key under which limits count the caller. */
  client: string;
  /** The refusal, if its caller has too many connections. */
  refusal: Refusal | undefined;
  /** Returns all that is known of the caller, as one text. */
  identify(): string;
}

/** Returns the sender of a request that came over a connection from this peer. */
function readSender(peer: string, { headers }: IncomingMessage): Sender {
  return {
    peer,
    header(name) {
      const value = headers[name];
      return Array.isArray(value) ? value.join(', ') : value;
    },
  };
}

/**
 * Limits the connections of a server: MAX_CONNECTIONS in all, and CONNECTIONS_PER_CLIENT of each client (by the keys of
 * `listClientKeys`). A client may open twice as many in a minute that make no request.
 *
 * A client is the peer of the connection, or the caller of its last request. The operator of this machine has no limit.
 */
export class Connections {
  isStopping = false;
  #open = new Map<Socket, Connection>();
  #shares = new UseByClient();
  #server: Server;
  #settings: NodeSettings;
  #rules: CallerRules;
  #events: ConnectionEvents;
  #silent;
  #intake = new Intake(() => this.#open.values());

  constructor(server: Server, settings: NodeSettings, events: ConnectionEvents) {
    this.#server = server;
    this.#settings = settings;
    this.#events = events;
    this.#rules = {
      proxies: settings.TRUST_PROXY,
      origins: [settings.BASE_URL, ...settings.ALLOWED_ORIGINS].filter(Boolean),
    };
    const quota = 2 * settings.CONNECTIONS_PER_CLIENT;
    this.#silent = new RateLimit({ name: 'silent', windowSeconds: 60, quota });
    // Above this, Node closes a connection as soon as it accepts it.
    server.maxConnections = settings.MAX_CONNECTIONS + spare;
    // `close` calls this at once. It would end connections with requests on their way, and those whose caller still reads
    // an answer. `stop` ends idle connections later.
    server.closeIdleConnections = () => {};
    server.on('drop', () => events.onRefused('too_many_connections'));
    server.on('connection', (socket: Socket) => this.#accept(socket));
  }

  /** The connection of a socket, or undefined if it was refused. */
  of(socket: Socket): Connection | undefined {
    return this.#open.get(socket);
  }

  /** Reports a request that is answered from now on, and finds its caller. */
  arrive(connection: Connection, request: IncomingMessage, response: ServerResponse): Arrival {
    if (connection.served === 0 && connection.owner !== undefined) this.#silent.giveBack(connection.owner);
    connection.begin(response);
    const sender = readSender(connection.peer, request);
    const { client, isProxied } = findCaller(sender, this.#rules);
    if (isProxied) this.#events.onProxied();
    const owner = this.#findOwner(client);
    const hasRoom = this.#move(connection.owner, owner);
    if (hasRoom) connection.owner = owner;
    else this.#events.onRefused('connection_share');
    return {
      connection,
      client,
      refusal: hasRoom ? undefined : new Refusal('connection_share'),
      identify: () => describeCaller(sender, this.#rules),
    };
  }

  onPipelined(): void {
    this.#intake.countRequest();
  }

  count(): number {
    return this.#open.size;
  }

  /** Counts the requests whose answer has not left. Those that wait for a change do not count. */
  countBusy(): number {
    return [...this.#open.values()].filter(({ isBusy }) => isBusy).length;
  }

  /**
   * Stops the server. During the grace period it still answers requests, each the last on its connection, so that a
   * balancer notices the stop. Then it accepts nothing new and closes connections as they become idle. Resolves when
   * none is open. After `DRAIN_SECONDS` it closes the rest.
   */
  async stop(graceSeconds: number): Promise<void> {
    this.isStopping = true;
    if (graceSeconds > 0) await pause(graceSeconds * 1000);
    const from = performance.now();
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    const timer = setInterval(() => {
      const elapsed = performance.now() - from;
      if (elapsed >= this.#settings.DRAIN_SECONDS * 1000) this.#server.closeAllConnections();
      else if (elapsed >= arrivalMs) this.#closeIdle();
    }, lookMs);
    await closed;
    clearInterval(timer);
  }

  #closeIdle(): void {
    for (const { socket, isAnswering } of this.#open.values())
      if (!isAnswering && socket.writableLength === 0) socket.destroy();
  }

  #findOwner(client: string): string | undefined {
    return isExempt(client, this.#rules) ? undefined : client;
  }

  /** Moves a connection from the share of one owner to that of another. Returns false if that share is used up. */
  #move(from: string | undefined, to: string | undefined): boolean {
    if (from === to) return true;
    if (from !== undefined) this.#shares.add(from, -1);
    const hasRoom = to === undefined || this.#shares.hasRoom(to, 1, this.#settings.CONNECTIONS_PER_CLIENT);
    const owner = hasRoom ? to : from;
    if (owner !== undefined) this.#shares.add(owner, 1);
    return hasRoom;
  }

  #accept(socket: Socket): void {
    reportOpened();
    // A caller on a unix socket is on this machine and has no address.
    const address = this.#settings.LISTEN === '' ? (socket.remoteAddress ?? '') : '127.0.0.1';
    // Without this, the library takes as long for an IPv4-mapped address as everything else together.
    const peer = findClientAddress(address.replace(/^::ffff:(?=[\d.]+$)/, ''), undefined, 0);
    const owner = this.#settings.TRUST_PROXY === 0 ? this.#findOwner(peer) : undefined;
    if (owner !== undefined && !this.#silent.take(owner, performance.now()).allowed) {
      this.#events.onRefused('no_request');
      socket.destroy();
      return;
    }
    const connection = new Connection(socket, peer, this);
    if (this.#open.size >= this.#settings.MAX_CONNECTIONS) this.#refuse(connection, 'too_many_connections');
    else if (!this.#move(undefined, owner)) this.#refuse(connection, 'connection_share');
    else this.#take(connection, owner);
  }

  #take(connection: Connection, owner: string | undefined): void {
    const { socket } = connection;
    connection.owner = owner;
    this.#open.set(socket, connection);
    if (this.#intake.isStopped) connection.stopReading();
    socket.once('close', () => {
      this.#open.delete(socket);
      this.#move(connection.owner, undefined);
    });
  }

  /** Refuses a connection when it opens. Reads nothing from it, because Node would parse a whole flood. */
  #refuse(connection: Connection, code: Exclude<ConnectionRefusal, 'no_request'>): void {
    this.#events.onRefused(code);
    connection.stopReading();
    closeAfter(connection.socket, encodeRefusal(code));
  }
}
