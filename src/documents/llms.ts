import { shortestKeyless } from '../kernel/idempotency.ts';
import type { Service } from '../kernel/service.ts';
import { toDuration } from '../kernel/text.ts';
import type { Kind } from '../records/kind.ts';
import { kinds } from '../records/kinds.ts';
import { toGuideLines } from './guides.ts';
import { start } from './home.ts';

/** `POST /candidates with JSON {"name", "onetCode"}`: what a create must have. */
function toCreateText({ path, body }: Kind, index: number): string {
  const required = Object.entries(body.entries).filter(([, { type }]) => type !== 'optional');
  const members = required.map(([name]) => `"${name}"`).join(', ');
  return `POST ${path} with ${index === 0 ? 'JSON ' : ''}{${members}}`;
}

/** The statuses that a caller may ask for, of all kinds. */
const toMoves = () => [...new Set(kinds.flatMap(({ moves }) => moves.map(({ to }) => to)))].join(', ');

/** The plain description for a model (llms.txt: an H1, a quoted summary, then lists of links). */
export function toLlmsTxt(self: Service): string {
  const { catalogue, settings } = self;
  const { service, pricing } = catalogue;
  return `# ${service.title}

> ${service.description}

${settings.live ? '' : 'This is a static preview: creates (POST) and /mcp need the live service and are not answered here.\n\n'}${service.promises.map((promise) => `- ${promise}`).join('\n')}

## How to work with it

1. Turn a job title into a code: ${start.find}
2. Find people: ${start.read}
3. Find work: ${start.work}
4. Create: ${kinds.map(toCreateText).join('; ')}.
5. The 201 holds \`workspace\`. Send it as the header X-Workspace (over MCP: the argument workspace) to read, add and change there. It is kept for ${toDuration(settings.retentionSeconds)} after the last write, then forgotten.
6. Many at once: POST /batch with ${kinds.map(({ collection }) => `"${collection}"`).join(', ')}, each by its \`ref\`, "#ref" in the place of an id.
7. Mend or move: PATCH /{kind}/{id} with the members that change, or \`status\` (${toMoves()}); DELETE erases.
8. Look, take along, erase: GET /workspace, GET /workspace/export, DELETE /workspace.
9. A write that may be sent twice carries the header Idempotency-Key (${shortestKeyless} characters or more): the same again is answered, not made twice.

An answer has \`type\`: OK (content; \`warnings\` stand first), EMPTY (nothing there, truthfully), BLOCKED (refused; reason and issues say what to send instead), OFFER (402, a labelled stub; nothing is billed). Prefer: handling=strict (over MCP strict: true) refuses what would be warned of. Lists take limit and cursor. The hard ceiling is ${pricing.hardCeiling} ${pricing.unit}; spend above it answers an OFFER.

## Doors

${kinds.map(({ path, about }) => `- ${path}: ${about}`).join('\n')}
- /occupations: the O*NET-SOC vocabulary; POST /titles turns up to 100 job titles into codes
- /workspace, /batch: what you made, whole
- POST /mcp: the same as MCP tools
- /offer: always 402, the ladder of offers; a labelled stub

## Documents

- [Capability card](/.well-known/agents.json): every interface and probe
- [OpenAPI 3.1 contract](/openapi.json): schemas of every request and reply
- [Pricing](/pricing): rate card and hard ceiling
- [Who it is for](/icp.json), [related properties](/family.json), [coordinates](/projection.json)
- [Verification](/verify): the suites that judge this service
- [O*NET licence and credit](/onet.json)

## Guides

${toGuideLines(self)}
`;
}
