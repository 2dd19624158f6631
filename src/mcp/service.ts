import type { AnswerService } from '../kernel/answer.ts';
import type { Operation } from '../kernel/operation.ts';
import type { OccupationService } from '../occupations/service.ts';
import type { Kind } from '../records/kind/kind.ts';
import type { Tool } from './tools.ts';

/** The parts of the service that MCP needs. */
export interface McpService extends OccupationService, AnswerService {
  catalogue: OccupationService['catalogue'] & {
    service: {
      name: string;
      title: string;
      tagline: string;
      description: string;
      version: string;
      promises: readonly string[];
    };
    briefs: readonly { id: string; title: string }[];
    guides: readonly { name: string; title: string; summary: string; links: { markdown: string } }[];
  };
  kinds: readonly Kind[];
  describeTools(operations: readonly Operation[]): readonly Tool[];
}
