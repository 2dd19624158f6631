import { turns } from '../node-platform.ts';
import type { Connection } from './connection.ts';

/** How many pipelined requests are parsed before reading stops. Each takes three kilobytes. */
const mostAtOnce = 2000;

/**
 * Bounds how many pipelined requests are parsed in one turn of the event loop.
 *
 * Node parses a whole packet, up to 3,600 requests, before it returns to us. It keeps each request until its connection
 * has closed, which is after all packets of the turn. So packets on 200 connections would take a gigabyte, even if we
 * destroyed each connection at once. Therefore `mostAtOnce` requests stop the reading of all connections until two
 * turns have opened no connection, at most 64 turns. The last packet may exceed `mostAtOnce`.
 */
export class Intake {
  #listConnections: () => Iterable<Connection>;
  #parsed = 0;
  isStopped = false;

  /** `listConnections` returns the open connections. */
  constructor(listConnections: () => Iterable<Connection>) {
    this.#listConnections = listConnections;
  }

  /** Counts a request that cannot be served as soon as it is parsed. */
  countRequest(): void {
    if (this.#parsed === 0) void this.#awaitTurn();
    this.#parsed += 1;
    if (this.#parsed < mostAtOnce || this.isStopped) return;
    this.isStopped = true;
    for (const connection of this.#listConnections()) connection.stopReading();
  }

  async #awaitTurn(): Promise<void> {
    // Destroyed connections close after the immediates of a turn, so they are closed in the second.
    await turns.waitForTurn();
    await turns.waitForTurn();
    this.#beginTurn();
  }

  /**
   * Reads again: first from the connections that were served most, because they are probably not part of a flood, then
   * from the newest, so that a new caller does not wait for a whole flood.
   */
  #beginTurn(): void {
    this.#parsed = 0;
    if (!this.isStopped) return;
    this.isStopped = false;
    const connections = [...this.#listConnections()].reverse().sort((a, b) => b.served - a.served);
    for (const connection of connections) connection.startReading();
  }
}
