import { fill } from '../kernel/document.ts';
import { previewWithFiles } from '../kernel/service.ts';
import { formatDuration } from '../kernel/text.ts';
import { describeLoss } from '../records/account/workspace-state.ts';
import type { DocumentService } from './service.ts';

/** The address of the skill (Agent Skills discovery 0.2.0). */
export const skillPath = '/.well-known/agent-skills/careers-placement/SKILL.md';

const name = 'careers-placement';

const description =
  'Match people to jobs with the Careers Placement Service: turn a job title into an O*NET-SOC code, find candidates or job orders, propose a placement, and record its 90-day outcome. Use it for staffing, recruiting and job-search tasks.';

/** Writes the skill as an agent loads it: front matter, then the steps. */
export function writeSkill(service: DocumentService): string {
  const { baseUrl, retentionSeconds, durability, live } = service.settings;
  return fill(service, 'skill', {
    name,
    description: JSON.stringify(description),
    baseUrl,
    preview: live ? '' : `${previewWithFiles}\n\n`,
    life: formatDuration(retentionSeconds),
    loss: describeLoss(durability),
  });
}

/** Creates the index that discovery reads. The digest is that of the served bytes. */
export async function createSkillIndex(service: DocumentService): Promise<object> {
  return {
    $schema: 'https://schemas.agentskills.io/discovery/0.2.0/schema.json',
    skills: [
      {
        name,
        type: 'skill-md',
        description,
        url: skillPath,
        digest: `sha256:${await service.platform.sha256(writeSkill(service))}`,
      },
    ],
  };
}
