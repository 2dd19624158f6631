import { buildService } from '../../src/hosts/build/build-service.ts';
import { passkeys } from '../../src/hosts/node/passkeys.ts';
import { createAnswer } from '../../src/kernel/answer.ts';
import { createService, type Service, type ServiceParts } from '../../src/service.ts';
import { SqliteStore } from '../../src/stores/sqlite.ts';
import { operations } from '../../src/table.ts';
import type { Store } from '../../src/workspace/store.ts';
import { checkReply, readBuiltContract } from './contract.ts';
import { dayMs, hourMs, noon } from './days.ts';
import { type Body, Client, type Reply, toReply, toSentRequest } from './http.ts';
import { makeSigner } from './receipts.ts';

/** Signs receipts in all tests of a process. */
const signer = await makeSigner();

/** The parts of a service to replace, some of its settings, and the time at which the clock begins. */
export type WorldParts = Partial<Omit<ServiceParts, 'settings'>> & {
  settings?: object | undefined;
  now?: number;
};

/** A service in this process, over a store in memory, with a fake clock. */
export class World extends Client {
  readonly clock: { now: number };
  readonly service: Service;
  readonly store: Store;
  readonly #answer: ReturnType<typeof createAnswer>;

  constructor({ settings, now = Date.now(), ...parts }: WorldParts = {}) {
    super();
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

  ask = async (method: string, target: string, sent?: unknown, headers: object = {}): Promise<Reply> => {
    const [path = '/', query = ''] = target.split(/\?(.*)/s);
    const { body = '', headers: sentHeaders } = toSentRequest(method, sent, {
      host: 'localhost',
      ...headers,
    });
    const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body;
    const call = { method, path, query, headers: sentHeaders, client: '127.0.0.1', body: bytes };
    const answer = await this.#answer(call);
    const reply = toReply(answer.status, new Headers(answer.headers), answer.body);
    checkReply(readBuiltContract().check, method, target, reply);
    return reply;
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
    const reply = await this.post(path, body, headers);
    if (reply.status !== 201) throw new Error(`POST ${path} failed with ${reply.status}: ${reply.text}`);
    return Object.assign(this.enter(reply.body.workspace), { reply });
  };

  /** Opens a workspace by its id. */
  enter = (workspace: string): Desk => new Desk(this, workspace);
}

/** A workspace, and calls in it. */
export class Desk extends Client {
  readonly world: World;
  readonly workspace: string;
  /** The header that names it. */
  readonly mine: { 'x-workspace': string };

  constructor(world: World, workspace: string) {
    super();
    this.world = world;
    this.workspace = workspace;
    this.mine = { 'x-workspace': workspace };
  }

  ask = (method: string, target: string, sent?: unknown, headers: object = {}): Promise<Reply> =>
    this.world.ask(method, target, sent, { ...this.mine, ...headers });

  override tool = (name: string, args: object = {}): Promise<Body> =>
    this.world.tool(name, { workspace: this.workspace, ...args });

  /** Returns the record at an address. */
  read = async (path: string): Promise<Body> => {
    const { body } = await this.get(path);
    return body.candidate ?? body.jobOrder ?? body.placement;
  };
}
