import { blocked, type Contracts, emptyList, emptyRecord } from '../kernel/contract.ts';
import { okSchema } from '../kernel/envelope.ts';
import { unwrapJson } from '../kernel/json.ts';
import { upTo } from '../kernel/text.ts';
import { CodedTitle, codeTitle, mostHits, mostTitles } from './code-titles.ts';
import { Occupation } from './occupation.ts';
import { createSearchPageSchema, listByCode } from './occupation-list.ts';
import type { OccupationService } from './service.ts';

const tag = 'occupations';

export const occupationContracts: Contracts = {
  listOccupations: {
    tag,
    summary: 'List or search occupations',
    description:
      'O*NET-SOC codes and titles. With q, ranked by how likely each is right for a job title, with the measured chance and a summary of the work; without a query, all of them.',
    sample: { q: 'android developer', limit: 5 },
    replies: {
      200: emptyList(
        'Codes and titles, or EMPTY where none match.',
        createSearchPageSchema(),
        (service: OccupationService) => unwrapJson(listByCode({ limit: 2 }, service).body),
      ),
    },
    tool: {
      description: 'Turn a job title into an O*NET-SOC code (q), or list codes by major group or job zone.',
      isCore: true,
    },
  },
  getOccupation: {
    tag,
    summary: 'Read one occupation',
    description:
      'A summary of the work, skills with importance and level, technologies, related occupations, alternate titles and pay, where they are published.',
    idText: 'O*NET-SOC code, such as 15-1252.00.',
    sample: { id: '15-1252.00' },
    replies: {
      200: {
        description: 'The occupation.',
        schema: okSchema({ occupation: Occupation }),
        example: async ({ catalogue }: OccupationService) => ({
          type: 'OK',
          occupation: await catalogue.occupation('11-1011.00'),
        }),
      },
      400: blocked('invalid_path', 'The path or query is not valid.'),
      404: emptyRecord('No such code.'),
    },
    tool: {
      description: 'Read the skills, technologies, pay and related occupations of an O*NET-SOC code.',
    },
  },
  codeTitles: {
    tag,
    summary: 'Code many job titles',
    description: `O*NET-SOC codes for up to ${mostTitles} job titles at once: for each the best, or the ${mostHits} best where it is not sure, with how likely each is right, a summary of the first, and what would decide. A title that nothing is known of is unsure, with an empty list. Each title counts as a call in the rate limit.`,
    sample: { titles: ['Sr. SWE (backend)', 'CDL A driver, nights'] },
    replies: {
      200: {
        description: 'Each title in the order in which it was sent.',
        schema: okSchema({
          titles: upTo(mostTitles, CodedTitle, 'One answer for each title sent, in that order.'),
        }),
        example: async (service: OccupationService) => {
          const search = await service.search();
          const coded = codeTitle('Sr. SWE (backend)', search, service, await service.summaries());
          return { type: 'OK', titles: [coded] };
        },
      },
      400: blocked('invalid_request', 'The titles are not valid; issues names each place.', [
        { path: 'titles', message: 'must hold at least one title' },
      ]),
    },
    tool: {
      description: `Turn up to ${mostTitles} job titles into O*NET-SOC codes, with how likely each is right.`,
      isCore: true,
    },
  },
};
