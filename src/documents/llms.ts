import { shortestMintKey } from '../kernel/idempotency.ts';
import { preview, type Service } from '../kernel/service.ts';
import { toDuration } from '../kernel/text.ts';
import type { Kind } from '../records/kind.ts';
import { kinds } from '../records/kinds.ts';
import { toLoss } from '../records/retention.ts';
import { toCeilingsOf } from '../records/workspace-view.ts';
import { isForCallers } from './guides.ts';
import { start } from './home.ts';

/** `POST /candidates with JSON {"name", "onetCode"}`: what a create must have. */
function toCreateText({ path, body }: Kind, index: number): string {
  const required = Object.entries(body.entries).filter(([, { type }]) => type !== 'optional');
  const members = required.map(([name]) => `"${name}"`).join(', ');
  return `POST ${path} with ${index === 0 ? 'JSON ' : ''}{${members}}`;
}

/** The rungs that can be climbed without paying, or why they cannot. */
function toRungsText({ rungs }: Service): string {
  const { work, claim } = rungs();
  const worked =
    work === true
      ? 'GET /work has a proof-of-work; POST /work with its solution earns a day and room.'
      : work;
  if (work !== true && work === claim) return work;
  return `${worked} ${claim === true ? 'POST /workspace/claim answers a `url` where your person claims it.' : claim}`;
}

/** What can refuse a call, but for its price. */
export function toCeilingsText({ settings }: Service): string {
  const { records, batch, body, batchBody, rates } = toCeilingsOf(settings.recordCeiling, settings);
  const [kib, mib] = [body / 1024, batchBody / 1024 ** 2];
  const limited = rates && `; an address a minute: ${rates.live} live calls, ${rates.mint} new workspaces`;
  return `Ceilings: ${records} records, ${batch} a batch; bodies ${kib} KiB, of a batch ${mib} MiB${limited ?? ''}.`;
}

const toGuideList = (guides: Service['catalogue']['guides']) =>
  guides.map(({ title, links }) => `- [${title}](${links.markdown})`).join('\n');

/** The plain description for a model (llms.txt: an H1, a quoted summary, then lists of links). */
export function toLlmsTxt(self: Service): string {
  const { catalogue, settings } = self;
  const { service, pricing } = catalogue;
  return `# ${service.title}

> ${service.description}

${service.icp.isNot.join(' ')}

- MCP (Streamable HTTP): ${settings.baseUrl}/mcp. How to connect each client: [Connect](/guides/connecting.md)
${settings.live ? '' : `${preview} Where an address without a suffix is not found, its file is: /pricing.json holds what /pricing does.\n\n`}${service.promises.map((promise) => `- ${promise}`).join('\n')}

## How to work with it

1. Turn a job title into a code: ${start.find}
2. Find people: ${start.read}
3. Find who fits: GET /{kind}/{id}/matches, for a job or a person. Find work: ${start.work}
4. Create: ${kinds.map(toCreateText).join('; ')}.
5. Send the \`workspace\` of the 201 as X-Workspace (over MCP: workspace) to read and write there. It is deleted ${toDuration(settings.retentionSeconds)} after its last write.${toLoss(settings.durability)}
6. Many at once: POST /batch with ${kinds.map(({ collection }) => `"${collection}"`).join(', ')}, each with a \`ref\`; "#ref" is its id.
7. Change: PATCH /{kind}/{id} with the members that change, or \`status\`; DELETE deletes.
8. Read, export, delete: GET /workspace, GET /workspace/export, DELETE /workspace.
9. The 90-day guarantee, from startDate: POST /placements/{id}/outcome with {"result"} (retained, converted, attrited: a fall-off), then …/confirmations with {"party"} (client, candidate) for \`url\` and \`token\`; GET, then POST /confirmation with X-Confirmation: token and {"agrees", "tag"}. GET …/receipt proves what was stated and confirmed here, and when; not who the parties are, or that they are different people.
10. Let people choose: POST /{kind}/{id}/shortlist, for a job, answers a \`url\` where the client's people decide. GET and POST /shortlist take its token as X-Shortlist.
11. With an Idempotency-Key (${shortestMintKey} characters or more) a repeated write is made once.${settings.live ? `\n12. More, unpaid: ${toRungsText(self)}` : ''}

\`type\` says which of the four it is. \`warnings\` come first in an OK; the \`reason\` of a BLOCKED says what to send instead. Prefer: handling=strict (over MCP strict: true) refuses what would only get a warning. Lists take limit and cursor. The hard ceiling is ${pricing.hardCeiling} ${pricing.unit}: \`usage\` in GET /workspace meters it. ${toCeilingsText(self)}

## Doors

${kinds.map(({ path, about }) => `- ${path}: ${about}`).join('\n')}
- /occupations: the O*NET-SOC vocabulary; POST /titles codes up to 100 titles
- /briefs: graded tasks for agents; /grade: the grade
- POST /mcp: tools, and documents as resources
- /offer: always 402, the ladder

## Documents

- [API](/api.md), to read: every operation
- [OpenAPI 3.1 contract](/openapi.json): for generators
- [Capability card](/.well-known/agents.json): every interface and probe
- [Pricing](/pricing): the rate card
- [Who it is for](/icp.json), [related properties](/family.json), [coordinates](/projection.json)
- [Verification](/verify): its suites
- [Keys](/.well-known/jwks.json) that [receipts](/receipt.html) are checked by
- [O*NET licence and credit](/onet.json)

## Guides

${toGuideList(catalogue.guides.filter(isForCallers))}

## Optional

[The guides above, whole](/llms-full.txt): under 40 kB.

To run or change the service:

${toGuideList(catalogue.guides.filter((guide) => !isForCallers(guide)))}
`;
}
