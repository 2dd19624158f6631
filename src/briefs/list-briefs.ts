import * as v from 'valibot';
import { defineDocument } from '../kernel/document.ts';
import { say } from '../kernel/text.ts';
import type { BriefService } from './brief.ts';
import { BriefEntry } from './brief.ts';
import { path } from './operations.ts';

export const listBriefs = defineDocument({
  operationId: 'listBriefs',
  path,
  contract: {
    tag: 'briefs',
    summary: 'List graded briefs',
    description: 'Tasks for agents, each graded by the end state of its workspace.',
    members: { briefs: say(v.array(BriefEntry), 'By level.') },
    example: ({ catalogue: { briefs } }: BriefService) => ({ type: 'OK', briefs: briefs.slice(0, 2) }),
  },
  markdown: ({ catalogue: { briefs } }: BriefService) =>
    `# Graded briefs\n\n${briefs.map(({ id, title, level }) => `- [${title}](${path}/${id}.md), level ${level}`).join('\n')}\n\nHow to run an agent on one: [Graded briefs](/guides/briefs.md).\n`,
  page: true,
  make: ({ catalogue: { briefs } }: BriefService) => ({ type: 'OK', briefs }),
});
