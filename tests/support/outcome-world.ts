import { buildService } from '../../src/hosts/build/build-service.ts';
import { createAnswer } from '../../src/kernel/answer.ts';
import type { Reply } from '../../src/kernel/call.ts';
import type { Signer } from '../../src/kernel/signer.ts';
import { createService } from '../../src/service.ts';
import { openSqliteStore } from '../../src/stores/sqlite.ts';
import type { Body } from './http.ts';
import { makeSigner } from './receipts.ts';

const dayMs = 86_400_000;
/** The first day of the placements that are made here. */
export const startDate = '2026-11-22';
const start = Date.parse(`${startDate}T12:00:00Z`);

/** A placement of the seed's people, without a start. */
export const sample = { candidateId: 'cand_036', jobOrderId: 'job_034', onetCode: '29-1141.00' };

/** A day so many days after the start. */
export const toDate = (days: number) => new Date(start + days * dayMs).toISOString().slice(0, 10);

interface Told extends Pick<Reply, 'status' | 'headers'> {
  body: Body;
}

/** A service in memory with a clock that can be moved, whose workspaces live for a year. */
export async function makeWorld({
  signer,
  retentionDays = 365,
}: {
  signer?: Signer;
  retentionDays?: number;
} = {}) {
  let now = start - 10 * dayMs;
  const built = buildService();
  const platform = { ...built.platform, now: () => now };
  const settings = { ...built.settings, retentionSeconds: retentionDays * 86_400 };
  const store = openSqliteStore(':memory:');
  const parts = { ...built, platform, settings, store, signer: signer ?? (await makeSigner()) };
  const service = createService(parts);
  const answer = createAnswer(service);

  async function ask(method: string, address: string, body?: object, headers: object = {}): Promise<Told> {
    const bytes = new TextEncoder().encode(body === undefined ? '' : JSON.stringify(body));
    const [path = '', query = ''] = address.split('?');
    const reply = await answer({ method, path, query, headers: { ...headers }, body: bytes });
    return { status: reply.status, headers: reply.headers, body: JSON.parse(reply.body || 'null') };
  }

  const world = {
    ask,
    service,
    store,
    /** Moves the clock to noon, or another hour, so many days after the start. */
    to(days: number, hours = 12) {
      now = start + days * dayMs + (hours - 12) * 3_600_000;
    },
    /** A placement of a workspace of its own that starts on day 0, and what can be done with it. */
    async place(more: object = {}) {
      const made = await ask('POST', '/placements', { ...sample, startDate, ...more });
      const { id } = made.body.placement;
      const headers = { 'x-workspace': made.body.workspace };
      const inWorkspace = (method: string, path: string, body?: object, others: object = {}) =>
        ask(method, path, body, { ...headers, ...others });
      return {
        id,
        workspace: made.body.workspace as string,
        ask: inWorkspace,
        read: async () => (await inWorkspace('GET', `/placements/${id}`)).body.placement,
        patch: (body: object) => inWorkspace('PATCH', `/placements/${id}`, body),
        state: (result: string, others: object = {}) =>
          inWorkspace('POST', `/placements/${id}/outcome`, { result, ...others }),
        request: (party = 'client', others: object = {}) =>
          inWorkspace('POST', `/placements/${id}/confirmations`, { party }, others),
        token: async (party = 'client') =>
          (await inWorkspace('POST', `/placements/${id}/confirmations`, { party })).body.confirmation
            .token as string,
        receipt: () => inWorkspace('GET', `/placements/${id}/receipt`),
      };
    },
    /** The same, on its 45th day. */
    async placeOn45(more: object = {}) {
      world.to(-9);
      const placed = await world.place(more);
      world.to(45);
      return placed;
    },
    show: (token: string) => ask('GET', '/confirmation', undefined, { 'x-confirmation': token }),
    /** Answers what is shown now, unless `more` or `headers` name a statement. */
    async confirm(token: string, agrees: boolean, more: object = {}, headers: object = {}) {
      const { tag } = (await world.show(token)).body;
      const named = 'if-match' in headers || !tag ? {} : { tag };
      const sent = { agrees, ...named, ...more };
      return ask('POST', '/confirmation', sent, { 'x-confirmation': token, ...headers });
    },
  };
  return world;
}
