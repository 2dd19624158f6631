/**
 * An example agent for `npm run briefs`, without a model. For each open order of its workspace it proposes the best
 * match that meets all requirements. It does not read the task, so it passes few briefs. Put your model here.
 */
const { BRIEF_URL: url, BRIEF_WORKSPACE: workspace = '', BRIEF_TEXT: task } = process.env;
if (!url || !task)
  throw new Error('run by `npm run briefs`, which sets BRIEF_URL, BRIEF_WORKSPACE and BRIEF_TEXT');
const headers = { 'X-Workspace': workspace };
const used = new Set<string>();

const { orders = [] } = await (
  await fetch(`${url}/workspace/matches?meets=true&limit=10&scope=workspace`, { headers })
).json();
for (const { jobOrder, matches } of orders) {
  const best = matches.find(({ candidate }: { candidate: { id: string } }) => !used.has(candidate.id));
  if (!best) continue;
  const { id: candidateId, onetCode } = best.candidate;
  used.add(candidateId);
  const body = JSON.stringify({ candidateId, jobOrderId: jobOrder.id, onetCode, status: 'proposed' });
  const reply = await (await fetch(`${url}/placements`, { method: 'POST', headers, body })).json();
  console.log(`${reply.type}: ${candidateId} for ${jobOrder.title}`);
}

export {};
