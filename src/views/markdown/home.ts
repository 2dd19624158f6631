import { toDuration } from '../../core/duration.ts';
import type { Service } from '../../core/service.ts';
import { start } from '../home.ts';

/** The home page as prose for a model: what this is, and the next call. */
export function toHomeMarkdown({ catalogue, settings }: Service): string {
  const { service, pricing, seed } = catalogue;
  const { method, url, headers, body } = start.create;
  const preview = settings.live
    ? ''
    : '\nThis is a static preview: it answers reads only. Creates and /mcp need the live service.\n';
  return `# ${service.title}

${service.description}
${preview}
You need no key and no account. Everything below works on first contact.

## Your next call

Turn a job title into an O*NET-SOC code, then look for people or work under it:

    ${start.find}
    ${start.read}
    ${start.work}

To make a record, POST it. The first one mints a workspace of your own:

    ${method} ${url}
    Content-Type: ${headers['Content-Type']}

    ${JSON.stringify(body)}

The 201 holds \`workspace\`. Send it back as the header \`X-Workspace\` to read your records beside the seed and to add more. It is forgotten ${toDuration(settings.retentionSeconds)} after the last write. If you speak MCP, POST to \`/mcp\`: every operation is a tool, and the workspace is an argument.

## How answers read

Each has a \`type\`. OK is content. EMPTY says truthfully that nothing matches. BLOCKED says why it was refused and what to send instead. OFFER is a 402: a labelled stub, for nothing is billed. The hard ceiling is ${pricing.hardCeiling} ${pricing.unit}.

## What is here

There are ${catalogue.occupations.length} real O*NET occupations. The ${seed.candidates.length} candidates, ${seed.jobOrders.length} job orders and ${seed.placements.length} placements of the seed are synthetic (\`example: true\`), and their statuses are as of ${seed.asOf}.

- [Contract](/openapi.json), [capability card](/.well-known/agents.json), [description for models](/llms.txt)
- [Occupations](/occupations.md), [pricing](/pricing.md), [verification](/verify.md)
- [Who it is for](/icp.json), [O*NET licence and credit](/onet.json)
`;
}
