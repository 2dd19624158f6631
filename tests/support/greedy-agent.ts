import type { startBrief } from './briefs.ts';
import type { Body } from './http.ts';

type Started = Awaited<ReturnType<typeof startBrief>>;
type Ask = (method: string, path: string, sent?: unknown, headers?: object) => Promise<{ body: Body }>;

/** The agent stops after this many rounds, also if there are more people to propose. */
const mostRounds = 6;

/**
 * Works in the workspace of a brief without its text: for each open order it proposes the best matches, shares them,
 * and offers the work to everyone who is interviewed.
 */
export async function workGreedily({ ask }: { ask: Ask }, { mine }: Started): Promise<void> {
  for (let round = 0; round < mostRounds; round += 1) {
    const { orders = [] } = (
      await ask('GET', '/workspace/matches?meets=true&limit=10&scope=workspace', undefined, mine)
    ).body;
    for (const { jobOrder, matches } of orders as Body[]) {
      for (const { candidate } of matches.slice(0, jobOrder.openingsLeft ?? 1)) {
        const { id: candidateId, onetCode } = candidate;
        const sent = { candidateId, jobOrderId: jobOrder.id, onetCode, status: 'proposed' };
        await ask('POST', '/placements', sent, mine);
      }
      await ask('POST', `/job-orders/${jobOrder.id}/shortlist`, { replace: true }, mine);
    }
    const { placements = [] } = (
      await ask('GET', '/placements?status=interviewing&limit=100', undefined, mine)
    ).body;
    for (const { id } of placements as Body[])
      await ask('PATCH', `/placements/${id}`, { status: 'offered' }, mine);
  }
}
