import { eventLoop } from '../node-platform.ts';
import type { Connection } from './connection.ts';

/** How many pipelined requests are parsed before reading stops. Each takes three kilobytes. */
const mostAtOnce = 2000;

/**
 * Bounds how many pipelined requests are parsed in one turn of the event loop.
 *
 * Node parses a whole packet, up to 2,000 requests, before it returns to us. It keeps each request until its connection
 * has closed, which is after all packets of the turn. So packets on 200 connections would take a gigabyte, even if we
 * destroyed each connection at once. Therefore the first packets stop the reading of all connections until the next
 * turn.
 */
export class Intake {
  #list: () => Iterable<Connection>;
  #count = 0;
  isStopped = false;

  /** `list` returns the open connections. */
  constructor(list: () => Iterable<Connection>) {
    this.#list = list;
  }

  /** Counts a request that cannot be served as soon as it is parsed. */
  count(): void {
    if (this.#count === 0) void this.#awaitTurn();
    this.#count += 1;
    if (this.#count < mostAtOnce || this.isStopped) return;
    this.isStopped = true;
    for (const connection of this.#list()) connection.stopReading();
  }

  async #awaitTurn(): Promise<void> {
    // Destroyed connections close after the immediates of a turn, so they are closed in the second.
    await eventLoop.waitForTurn();
    await eventLoop.waitForTurn();
    this.#beginTurn();
  }

  /**
   * Reads again: first from the connections that were served most, because they are probably not part of a flood, then
   * from the newest, so that a new caller does not wait for a whole flood.
   */
  #beginTurn(): void {
    this.#count = 0;
    if (!this.isStopped) return;
    this.isStopped = false;
    const connections = [...this.#list()].reverse().sort((a, b) => b.served - a.served);
    for (const connection of connections) connection.startReading();
  }
}
