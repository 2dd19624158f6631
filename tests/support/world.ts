import { buildService } from '../../src/hosts/build/build-service.ts';
import { passkeys } from '../../src/hosts/node/passkeys.ts';
import { createAnswer } from '../../src/kernel/answer.ts';
import { createService, type Service, type ServiceParts } from '../../src/service.ts';
import { SqliteStore } from '../../src/stores/sqlite.ts';
import { operations } from '../../src/table.ts';
import type { Store } from '../../src/workspace/store.ts';
import { dayMs, hourMs, noon } from './days.ts';
import type { Body, Reply } from './http.ts';
import { makeSigner } from './receipts.ts';

/** Signs receipts in all tests of a process. */
const signer = await makeSigner();

/** The parts of a service to replace, some of its settings, and the time at which the clock begins. */
export type WorldParts = Partial<Omit<ServiceParts, 'settings'>> & {
  settings?: object | undefined;
  now?: number;
};

/** A service in this process, over a store in memory, with a fake clock. */
export class World {
  readonly clock: { now: number };
  readonly service: Service;
  readonly store: Store;
  readonly #answer: ReturnType<typeof createAnswer>;

  constructor({ settings, now = Date.now(), ...parts }: WorldParts = {}) {
    this.clock = { now };
    const built = buildService();
    this.service = createService({
      ...built,
      operations,
      platform: { ...built.platform, now: () => this.clock.now },
      passkeys,
      signer,
      ...parts,
      store: parts.store ?? new SqliteStore(':memory:'),
      settings: { ...built.settings, workBits: 8, ...settings },
    });
    this.store = this.service.store;
    this.#answer = createAnswer(this.service);
  }

  /** Sends a request. A text is sent as it is, anything else as JSON. */
  ask = async (method: string, target: string, sent?: unknown, headers: object = {}): Promise<Reply> => {
    const [path = '/', query = ''] = target.split(/\?(.*)/s);
    const named = { host: 'localhost', 'content-type': 'application/json', ...headers };
    const lower = Object.entries(named).map(([name, value]) => [name.toLowerCase(), value]);
    const bytes = typeof sent === 'string' || sent === undefined ? (sent ?? '') : JSON.stringify(sent);
    const body = new TextEncoder().encode(bytes);
    const call = { method, path, query, headers: Object.fromEntries(lower), client: '127.0.0.1', body };
    const reply = await this.#answer(call);
    const isJson = reply.body !== '' && /json/.test(reply.headers['Content-Type'] ?? '');
    const { status, headers: replied, body: text } = reply;
    return { status, headers: new Headers(replied), text, body: isJson ? JSON.parse(text) : undefined };
  };

  /** Makes one tool call and returns its result. */
  tool = async (name: string, args: object): Promise<Body> => {
    const params = { name, arguments: args };
    return (await this.ask('POST', '/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/call', params })).body
      .result;
  };

  /** Moves the clock by this many milliseconds. */
  pass = (ms: number): void => {
    this.clock.now += ms;
  };

  /** Moves the clock to an hour, noon by default, this many days after `today`. */
  toDay = (days: number, hour = 12): void => {
    this.clock.now = noon + days * dayMs + (hour - 12) * hourMs;
  };

  /** Creates records in a new workspace, by a batch unless there is another path, and opens it. */
  open = async (
    body: object | string,
    path = '/batch',
    headers: object = {},
  ): Promise<Desk & { reply: Reply }> => {
    const reply = await this.ask('POST', path, body, headers);
    if (reply.status !== 201) throw new Error(`POST ${path} failed with ${reply.status}: ${reply.text}`);
    return Object.assign(this.enter(reply.body.workspace), { reply });
  };

  /** Opens a workspace by its id. */
  enter = (workspace: string): Desk => new Desk(this, workspace);
}

/** A workspace, and calls in it. */
export class Desk {
  readonly world: World;
  readonly workspace: string;
  /** The header that names it. */
  readonly mine: { 'x-workspace': string };

  constructor(world: World, workspace: string) {
    this.world = world;
    this.workspace = workspace;
    this.mine = { 'x-workspace': workspace };
  }

  ask = (method: string, target: string, sent?: unknown, headers: object = {}): Promise<Reply> =>
    this.world.ask(method, target, sent, { ...this.mine, ...headers });

  tool = (name: string, args: object = {}): Promise<Body> =>
    this.world.tool(name, { workspace: this.workspace, ...args });

  /** Returns the record at an address. */
  read = async (path: string): Promise<Body> => {
    const { body } = await this.ask('GET', path);
    return body.candidate ?? body.jobOrder ?? body.placement;
  };
}
