import type { PresentedRecord } from '../records/kind/record.ts';
import type { RecordService } from '../records/service.ts';
import { splitPlace } from './split-place.ts';

/** A candidate as a caller reads it. */
interface CandidateFacts extends PresentedRecord {
  name: string;
  title?: string;
  skills?: readonly string[];
  credentials?: readonly string[];
  metro?: string;
}

const schema = 'https://raw.githubusercontent.com/jsonresume/resume-schema/v1.0.0/schema.json';

/**
 * Returns a candidate as a JSON Resume (jsonresume.org, 1.0.0). The format has no place for pay, hours, shifts and
 * availability. Note and source are not for readers of a résumé.
 */
export function toResume(candidate: PresentedRecord, { occupationByCode }: RecordService): object {
  const { title: occupation } = occupationByCode.get(candidate.onetCode as string)!;
  const {
    name,
    title = occupation,
    metro,
    skills = [],
    credentials = [],
    updatedAt,
  } = candidate as CandidateFacts;
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
