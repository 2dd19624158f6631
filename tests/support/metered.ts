import { buildService } from '../../src/hosts/build/build-service.ts';
import type { MeteredDocument } from '../../src/pricing/document.ts';
import { noon } from './days.ts';
import type { Body } from './http.ts';
import { toBody } from './sandbox.ts';
import type { World, WorldParts } from './world.ts';

/** Returns how often each metered operation was called, without those never called. */
export const toCounts = ({ operations }: Body): Record<string, number> =>
  Object.fromEntries(
    operations.flatMap(({ operation, calls }: Body) => (calls > 0 ? [[operation, calls]] : [])),
  );

/** Returns the parts of a world with its own rate card, whose workspaces live for months. */
export function withRateCard(pricing: Partial<MeteredDocument>, meter: 'on' | 'count' = 'on'): WorldParts {
  const { catalogue } = buildService();
  return {
    now: noon,
    catalogue: { ...catalogue, pricing: { ...catalogue.pricing, ...pricing } },
    settings: { meter, retentionSeconds: 100 * 86_400 },
  };
}

/** Makes a workspace with one candidate, which costs one create. */
export async function openMetered(world: World) {
  const desk = await world.open(toBody.candidate(), '/candidates');
  return {
    ...desk,
    id: desk.reply.body.candidate.id as string,
    usage: async (): Promise<Body> => (await desk.get('/workspace')).body.workspace.usage,
  };
}
