import { buildService } from '../../src/hosts/build/build-service.ts';
import type { MeteredDocument } from '../../src/pricing/document.ts';
import { makeCore } from './core.ts';
import type { Body } from './http.ts';

/** Returns how often each metered operation was called, without those never called. */
export const toCounts = ({ operations }: Body): Record<string, number> =>
  Object.fromEntries(
    operations.flatMap(({ operation, calls }: Body) => (calls > 0 ? [[operation, calls]] : [])),
  );

/** Makes a service in memory with a fake clock and its own rate card. */
export function makeMetered(pricing: Partial<MeteredDocument> = {}, meter: 'on' | 'count' = 'on') {
  const { catalogue } = buildService();
  const core = makeCore({
    now: Date.parse('2026-11-22T12:00:00Z'),
    catalogue: { ...catalogue, pricing: { ...catalogue.pricing, ...pricing } },
    settings: { meter, retentionSeconds: 100 * 86_400 },
  });
  const { ask } = core;

  return {
    ...core,
    /** Makes a workspace with one candidate, which costs one create. */
    async space() {
      const made = await ask('POST', '/candidates', { name: 'Ann Sample', onetCode: '15-1252.00' });
      const headers = { 'x-workspace': made.body.workspace as string };
      const within = (method: string, target: string, sent?: object, more: object = {}) =>
        ask(method, target, sent, { ...headers, ...more });
      return {
        id: made.body.candidate.id as string,
        workspace: made.body.workspace as string,
        ask: within,
        usage: async (): Promise<Body> => (await within('GET', '/workspace')).body.workspace.usage,
      };
    },
  };
}
