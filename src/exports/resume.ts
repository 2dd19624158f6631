import type { PresentedRecord } from '../records/record.ts';
import { splitPlace } from './split-place.ts';

/** A candidate as a caller reads it. */
export interface CandidateFacts extends PresentedRecord {
  name: string;
  title?: string;
  skills?: readonly string[];
  credentials?: readonly string[];
  metro?: string;
}

const schema = 'https://raw.githubusercontent.com/jsonresume/resume-schema/v1.0.0/schema.json';

/**
 * Returns a candidate as a JSON Resume (jsonresume.org, 1.0.0). The format has no place for pay, hours, shifts and
 * availability. Note and source are not for readers of a résumé. `occupation` is the title of the code.
 */
export function toResume(candidate: CandidateFacts, occupation: string): object {
  const { name, title = occupation, metro, skills = [], credentials = [], updatedAt } = candidate;
  const toNamed = (text: string) => ({ name: text });
  return {
    $schema: schema,
    basics: { name, label: title, ...(metro !== undefined && { location: splitPlace(metro) }) },
    skills: skills.map(toNamed),
    certificates: credentials.map(toNamed),
    meta: {
      version: 'v1.0.0',
      ...(typeof updatedAt === 'string' && { lastModified: updatedAt.slice(0, 19) }),
    },
  };
}
