import { toUnlisted } from '../kernel/document.ts';
import type { Operation } from '../kernel/operation.ts';
import { withIndex } from '../kernel/representation.ts';
import type { Service } from '../kernel/service.ts';
import { toApiReference } from './api-reference.ts';

/** What a page that a person works on says to a model: the calls that do the same. */
const pages: Record<string, string> = {
  '/workspace': `# Workspace

On this page a person sees the workspace of an agent. An agent sends its id as \`X-Workspace\`:

- \`GET /workspace\` says what it holds, until when, and what was used.
- \`GET /workspace/matches\` says who fits each open order.
- \`GET /workspace/export\` has every record; \`DELETE /workspace\` deletes them.
`,
  '/receipt': `# Check a receipt

A receipt is a compact JWS about the outcome of a placement. \`GET /placements/{id}/receipt\` has it once the outcome is validated. This page checks its signature with the keys at [jwks.json](/.well-known/jwks.json), in the browser; any JOSE library does the same. [Outcomes](/guides/outcomes.md) says what a receipt proves.
`,
  '/confirm': `# Answer a confirmation

The address of this page ends in \`#\` and a token, \`cnf_…\`. Send the token as \`X-Confirmation\`: \`GET /confirmation\` has the statement and its \`tag\`, and \`POST /confirmation\` with \`agrees\` and that \`tag\` answers it. Answer only for the party that you act for.
`,
  '/shortlist': `# Decide on a shortlist

The address of this page ends in \`#\` and a token, \`sl_…\`. Send the token as \`X-Shortlist\`: \`GET /shortlist\` has the job and who is proposed, and \`POST /shortlist\` decides on one of them. Decide only for the client that you act for.
`,
  '/claim': `# Claim a workspace

A person claims the workspace of an agent here, with a passkey; an agent cannot. An agent gets the address from \`POST /workspace/claim\`, and tells its person the address and the \`userCode\`. [Keeping a workspace](/guides/keeping.md) has the rest.
`,
};

const toTwin = (path: string, make: (service: Service) => string): Operation =>
  toUnlisted({
    operationId: `get${path[1]!.toUpperCase()}${path.slice(2)}Page`,
    path: `${path}.md`,
    summary: 'A page in Markdown',
    description: 'What a page says, for a model.',
    type: 'text/markdown; charset=utf-8',
    make: (service) => withIndex(make(service)),
  });

/** The Markdown of every page that no other row has. */
export const pageTwins: readonly Operation[] = [
  toTwin('/api', toApiReference),
  ...Object.entries(pages).map(([path, text]) => toTwin(path, () => text)),
];
