import { preview, type Service } from '../kernel/service.ts';
import { toDuration } from '../kernel/text.ts';
import { toLoss } from '../records/retention.ts';

/** Where the one skill is served (Agent Skills discovery 0.2.0). */
export const skillPath = '/.well-known/agent-skills/careers-placement/SKILL.md';

const name = 'careers-placement';

const description =
  'Match people to jobs with the Careers Placement Service: turn a job title into an O*NET-SOC code, find candidates or job orders, and record a placement with its 90-day outcome. Use it for staffing, recruiting and job-search tasks.';

/** The skill as an agent loads it: front matter, then what to do step by step. */
export function toSkill({ settings: { baseUrl, retentionSeconds, durability, live } }: Service): string {
  return `---
name: ${name}
description: ${JSON.stringify(description)}
---

# Place a person in a job

${live ? '' : `${preview}\n\n`}The service is at ${baseUrl}. It needs no key. Over MCP, connect to ${baseUrl}/mcp: each step below is a tool of the name in brackets.

1. Find the code of the job [listOccupations]: \`GET /occupations?q=JOB+TITLE&limit=5\`. Take the first fitting \`id\`.
2. Find people [listCandidates]: \`GET /candidates?status=available&occupation=CODE\`; or work [listJobOrders]: \`GET /job-orders?status=open&occupation=CODE\`.
3. Create what is missing [createCandidate, createJobOrder]: POST JSON with \`name\` and \`onetCode\`, or \`client\`, \`title\` and \`onetCode\`. Keep \`workspace\` from the first 201.
4. Record the placement [createPlacement]: POST \`candidateId\`, \`jobOrderId\`, \`onetCode\` with the header \`X-Workspace\` (over MCP the argument \`workspace\`).
5. Read it back [getPlacement] with the same workspace. \`outcome.validateBy\` is the day by which the outcome of the first 90 days is to be validated.
6. Once it has started, state its outcome [stateOutcome]: retained, converted or attrited (a fall-off). Ask the client or the candidate [requestConfirmation] and send that party the url; its own agent reads and answers with the token [getConfirmation, answerConfirmation]. Never answer for another party. A result that one party agrees with and none disputes by validateBy is validated, with a signed receipt (getReceipt of the HTTP contract).

Read \`type\` first: OK, EMPTY (nothing matches, do not invent a result), BLOCKED (do what \`reason\` and \`issues\` say), OFFER (a 402 that cannot be paid today: take its first alternative).

Seed records are synthetic. A workspace is forgotten ${toDuration(retentionSeconds)} after its last write.${toLoss(durability)} Send no personal data.
`;
}

/** The index that discovery reads; the digest is of the served bytes. */
export async function toSkillIndex(service: Service): Promise<object> {
  return {
    $schema: 'https://schemas.agentskills.io/discovery/0.2.0/schema.json',
    skills: [
      {
        name,
        type: 'skill-md',
        description,
        url: skillPath,
        digest: `sha256:${await service.platform.sha256(toSkill(service))}`,
      },
    ],
  };
}
