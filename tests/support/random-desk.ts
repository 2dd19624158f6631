import type { Body } from './http.ts';
import type { World } from './world.ts';

/** Creates a function that returns numbers from 0 to below 1, the same ones for a seed. */
export function createRandom(seed: number): () => number {
  let state = Math.imul(seed + 1, 2654435761);
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

const codes = ['29-1141.00', '15-1252.00', '53-3032.00'];
const words = ['Go', 'SQL', 'BLS', 'Ada', 'Excel', 'Tacoma', 'nights'];
const collections = { candidate: 'candidates', jobOrder: 'job-orders', placement: 'placements' } as const;
type KindName = keyof typeof collections;

const toDay = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

/** Exports all pages of a workspace, over HTTP or by the tool. */
export async function readExport(
  { ask, tool }: Pick<World, 'ask' | 'tool'>,
  workspace: string,
  limit: number,
  door: 'HTTP' | 'MCP' = 'HTTP',
): Promise<Body[]> {
  const pages: Body[] = [];
  for (let cursor: string | undefined, isFirst = true; isFirst || cursor; isFirst = false) {
    const query = new URLSearchParams({ limit: String(limit), ...(cursor && { cursor }) });
    const page: Body =
      door === 'HTTP'
        ? (await ask('GET', `/workspace/export?${query}`, undefined, { 'x-workspace': workspace })).body
        : (await tool('exportWorkspace', { workspace, limit, cursor, history: true })).structuredContent;
    pages.push(page);
    cursor = page.nextCursor;
  }
  return pages;
}

/** A workspace in which random calls are made. Each record that it makes has a mark of its own in all of its texts. */
export class RandomDesk {
  readonly #world: World;
  readonly #random: () => number;
  #headers: Record<string, string> = {};
  #made = 0;
  /** The mark of each record, by id. */
  readonly marks = new Map<string, string>();

  constructor(world: World, seed: number) {
    this.#world = world;
    this.#random = createRandom(seed);
  }

  #below = (count: number): number => Math.floor(this.#random() * count);
  #pick = <T>(items: readonly T[]): T => items[this.#below(items.length)]!;
  #maybe = <T>(value: T): T | undefined => (this.#random() < 0.5 ? value : undefined);

  get workspace(): string {
    return this.#headers['x-workspace']!;
  }

  ask(method: string, path: string, body?: unknown, more: object = {}) {
    return this.#world.ask(method, path, body, { ...this.#headers, ...more });
  }

  /** Returns all records as a caller reads them, by id. */
  async readAll(): Promise<Map<string, Body>> {
    const rows = new Map<string, Body>();
    for (const path of Object.values(collections)) {
      const { body } = await this.ask('GET', `/${path}?limit=100`);
      const [list = []] = Object.values(body).filter(Array.isArray) as Body[][];
      for (const row of list) rows.set(row.id, row);
    }
    return rows;
  }

  /** Returns the text of the whole activity. */
  async readActivity(): Promise<Body[]> {
    const { body } = await this.ask('GET', '/workspace/activity?limit=100&since=0');
    return body.activity ?? [];
  }

  /** Returns the history of a record, newest first. */
  async readHistory(id: string): Promise<Body[]> {
    const { body } = await this.ask('GET', `/workspace/activity?limit=200&record=${id}`);
    return body.activity ?? [];
  }

  #listIds(kind: KindName): string[] {
    const prefix = { candidate: 'cand_', jobOrder: 'job_', placement: 'plc_' }[kind];
    return [...this.marks.keys()].filter((id) => id.startsWith(prefix));
  }

  #toMembers(kind: KindName, mark: string): Body {
    const texts = () => [`${mark} ${this.#pick(words)}`, `${mark} ${this.#pick(words)}`];
    if (kind === 'candidate')
      return {
        name: `Person ${mark} ${this.#pick(words)}`,
        skills: this.#maybe(texts()),
        credentials: this.#maybe(texts()),
        payRateUsdHour: this.#maybe(20 + this.#below(30)),
        note: this.#maybe(`private ${mark} ${this.#pick(words)}`),
      };
    if (kind === 'jobOrder')
      return {
        client: `Client ${mark}`,
        title: `Work ${mark} ${this.#pick(words)}`,
        openings: this.#maybe(1 + this.#below(4)),
        skills: this.#maybe(texts()),
        billRateUsdHour: this.#maybe(60 + this.#below(30)),
      };
    return {
      billRateUsdHour: this.#maybe(60 + this.#below(30)),
      hoursPerWeek: this.#maybe(10 + this.#below(30)),
      note: this.#maybe(`private ${mark} ${this.#pick(words)}`),
      plannedEndDate: this.#maybe(toDay(60 + this.#below(60))),
    };
  }

  /** Makes a record of a kind. */
  async create(kind: KindName): Promise<Body> {
    this.#made += 1;
    const mark = `zq${this.#made}x`;
    const pair = kind === 'placement' && {
      candidateId: this.#pick(this.#listIds('candidate')),
      jobOrderId: this.#pick(this.#listIds('jobOrder')),
      startDate: toDay(-this.#below(20)),
      status: this.#maybe('proposed'),
    };
    const sent = { onetCode: this.#pick(codes), ...this.#toMembers(kind, mark), ...pair };
    const { body } = await this.ask('POST', `/${collections[kind]}`, sent);
    if (body.workspace && !this.#headers['x-workspace']) this.#headers = { 'x-workspace': body.workspace };
    if (body[kind]) this.marks.set(body[kind].id, mark);
    return body;
  }

  #toPatch(id: string): Body {
    const kind = (Object.keys(collections) as KindName[]).find((name) => this.#listIds(name).includes(id))!;
    const mark = this.marks.get(id)!;
    const statuses = {
      candidate: ['withdrawn', 'available'],
      jobOrder: ['closed', 'open'],
      placement: ['interviewing', 'offered', 'scheduled', 'declined'],
    }[kind];
    const end = kind === 'placement' && this.#maybe({ endDate: toDay(0), endReason: 'client-ended' });
    const isEnd = this.#random() < 0.2;
    return {
      ...(isEnd ? end : this.#maybe(this.#toMembers(kind, mark))),
      ...(!isEnd && this.#maybe({ status: this.#pick(statuses) })),
      reason: this.#maybe(`because ${mark}`),
      effectiveDate: this.#maybe(toDay(this.#below(40))),
    };
  }

  /** Makes one random call, which can be refused, and returns the body of the reply. */
  async step(): Promise<Body> {
    const ids = [...this.marks.keys()];
    const kind = this.#pick(Object.keys(collections) as KindName[]);
    const actor = this.#random() < 0.3 ? { 'x-actor': 'Dana%20Ex%C3%A4mple' } : {};
    const luck = this.#random();
    if (luck < 0.25) return this.create(kind);
    const id = this.#pick(ids);
    const path = `/${collections[(Object.keys(collections) as KindName[]).find((name) => this.#listIds(name).includes(id))!]}/${id}`;
    if (luck < 0.33) {
      const { status, body } = await this.ask('DELETE', `${path}?reason=duplicate`, undefined, actor);
      if (status === 200) this.deleted.push(this.marks.get(id)!);
      if (status === 200) this.marks.delete(id);
      return body;
    }
    if (luck < 0.6) return (await this.ask('PATCH', path, this.#toPatch(id), actor)).body;
    if (luck < 0.7 && path.startsWith('/placements'))
      return (await this.ask('POST', `${path}/outcome`, { result: 'retained', note: 'private note' })).body;
    const changes = [id, this.#pick(ids), this.#pick(ids)].map((one) => ({ id: one, ...this.#toPatch(one) }));
    return (await this.ask('POST', '/batch', { changes }, actor)).body;
  }

  /** The marks of the records that were deleted. */
  readonly deleted: string[] = [];
}
