import type { AnswerService } from '../kernel/answer.ts';
import type { RecordService } from '../records/service.ts';
import type { ServiceFacts } from './service-facts.ts';

/** A guide: documentation for people who use, run or change this service. */
export interface Guide {
  name: string;
  title: string;
  summary: string;
  links: { self: string; markdown: string; html: string };
  text: string;
}
export type GuideEntry = Omit<Guide, 'text'>;

/** What the documents need of the service. */
export interface DocumentService extends RecordService, AnswerService {
  catalogue: RecordService['catalogue'] & {
    service: ServiceFacts;
    executableTests: string;
    guides: readonly GuideEntry[];
    guide(name: string): Guide | undefined | Promise<Guide | undefined>;
  };
}
