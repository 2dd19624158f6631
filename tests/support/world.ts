import { buildService } from '../../src/hosts/build/build-service.ts';
import { passkeys } from '../../src/hosts/node/passkeys.ts';
import { createAnswer } from '../../src/kernel/answer.ts';
import { createService, type Service, type ServiceParts } from '../../src/service.ts';
import { SqliteStore } from '../../src/stores/sqlite.ts';
import { operations } from '../../src/table.ts';
import type { Store } from '../../src/workspace/store.ts';
import { readBuiltContract } from './contract.ts';
import { dayMs, hourMs, noon } from './days.ts';
import { type Body, Client, type Reply, type SentRequest, toReply } from './http.ts';
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
    super(readBuiltContract());
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

  async send(method: string, target: string, sent: SentRequest): Promise<Reply> {
    const [path = '/', query = ''] = target.split(/\?(.*)/s);
    const body = typeof sent.body === 'string' ? new TextEncoder().encode(sent.body) : sent.body;
    const headers = { host: 'localhost', ...sent.headers };
    const call = { method, path, query, headers, client: '127.0.0.1', body: body ?? new Uint8Array() };
    const reply = await this.#answer(call);
    return toReply(reply.status, new Headers(reply.headers), reply.body);
  }

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
    super(readBuiltContract());
    this.world = world;
    this.workspace = workspace;
    this.mine = { 'x-workspace': workspace };
  }

  send(method: string, target: string, sent: SentRequest): Promise<Reply> {
    return this.world.send(method, target, { ...sent, headers: { ...this.mine, ...sent.headers } });
  }

  override tool = (name: string, args: object = {}): Promise<Body> =>
    this.world.tool(name, { workspace: this.workspace, ...args });

  /** Returns the record at an address. */
  read = async (path: string): Promise<Body> => {
    const { body } = await this.get(path);
    return body.candidate ?? body.jobOrder ?? body.placement;
  };
}
