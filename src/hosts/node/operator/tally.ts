import type { Labels, Metrics, Name, Readings } from '../metrics.ts';
import type { ServedRequest } from '../request.ts';

/** How often a client was refused with a code. */
interface RefusedClient {
  client: string;
  code: string;
  count: number;
  last: string;
}

/** Clients and codes that are remembered. Beyond that, those that were refused longest ago are forgotten. */
const mostRemembered = 1000;

const addOne = (counts: Map<string, number>, key: string) => counts.set(key, (counts.get(key) ?? 0) + 1);

/** Sorts counts, the highest first. */
const sortCounts = (counts: ReadonlyMap<string, number>) =>
  Object.fromEntries([...counts].sort(([, one], [, other]) => other - one));

/** Counts answers for the operator's page, and passes everything on to the metrics. */
export class Tally implements Metrics {
  readonly #metrics: Metrics;
  #fromMemory = 0;
  readonly #calls = new Map<string, number>();
  readonly #codes = new Map<string, number>();
  /** In the order of their last refusal. */
  readonly #refused = new Map<string, RefusedClient>();

  constructor(metrics: Metrics) {
    this.#metrics = metrics;
  }

  add(name: Name, labels?: Labels, more?: number): void {
    if (name === 'careers_frozen_answers_total') this.#fromMemory += 1;
    if (name === 'careers_connections_refused_total') addOne(this.#codes, labels?.code ?? 'other');
    this.#metrics.add(name, labels, more);
  }

  addTime(name: Name, labels: Labels, ms: number): void {
    this.#metrics.addTime(name, labels, ms);
  }

  addAnswer(answered: ServedRequest): void {
    const { operation, status, code, client } = answered;
    addOne(this.#calls, operation);
    if (code !== undefined && status >= 400) {
      addOne(this.#codes, code);
      this.#remember(client, code);
    }
    this.#metrics.addAnswer(answered);
  }

  addCharged(calls: Readonly<Record<string, number>>): void {
    this.#metrics.addCharged(calls);
  }

  text(readings: Readings): Promise<string> {
    return this.#metrics.text(readings);
  }

  /** Live answers by operation, and answers from memory, since the start. */
  readCalls() {
    const live = [...this.#calls.values()].reduce((sum, count) => sum + count, 0);
    return { live, fromMemory: this.#fromMemory, byOperation: sortCounts(this.#calls) };
  }

  /** Refusals by code, and the clients that were refused most often, since the start. */
  readRefusals(most: number) {
    const byClient = [...this.#refused.values()].sort((one, other) => other.count - one.count);
    return { byCode: sortCounts(this.#codes), byClient: byClient.slice(0, most) };
  }

  #remember(client: string, code: string): void {
    const key = `${client} ${code}`;
    const count = (this.#refused.get(key)?.count ?? 0) + 1;
    this.#refused.delete(key);
    this.#refused.set(key, { client, code, count, last: new Date().toISOString() });
    if (this.#refused.size <= mostRemembered) return;
    const [oldest] = this.#refused.keys();
    this.#refused.delete(oldest!);
  }
}
