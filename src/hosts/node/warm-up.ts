import { Socket } from 'node:net';
import type { Catalogue } from '../../kernel/service.ts';
import { none } from './limits.ts';
import { createLive, type LiveParts } from './live.ts';
import { IncomingMessage, ServerResponse } from './raw-reply.ts';

/** Searches after which the engine has compiled what searches run. */
const searches = 50;

/**
 * Has searches answered before the first caller asks, as live requests are but for the network, the limits and the log:
 * of each occupation's title by turns, as nothing is answered twice.
 */
export async function warmUp(
  parts: LiveParts,
  { occupations }: Pick<Catalogue, 'occupations'>,
): Promise<void> {
  let answered = () => {};
  const limits = { ...parts.limits, admitLive: () => none };
  const serve = createLive({ ...parts, limits, onAnswered: () => answered() });
  for (const { title } of occupations.slice(0, searches)) {
    const query = `limit=1&q=${encodeURIComponent(title)}`;
    const target = { path: '/occupations', query };
    const asked = { method: 'GET', url: `${target.path}?${query}`, httpVersionMajor: 1, httpVersionMinor: 1 };
    const request = Object.assign(new IncomingMessage(new Socket()), asked);
    await new Promise<void>((resolve) => {
      answered = resolve;
      serve(request, new ServerResponse(request), target, '');
    });
  }
}
