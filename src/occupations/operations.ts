import * as v from 'valibot';
import { toOkSchema } from '../kernel/envelope.ts';
import { toValue } from '../kernel/json.ts';
import { blocked, emptyList, emptyRecord, type Outcome, toOperation } from '../kernel/operation.ts';
import { checkCursor } from '../kernel/page.ts';
import type { Service } from '../kernel/service.ts';
import { toNearest } from './code.ts';
import { codeTitles } from './code-titles.ts';
import { toOccupationMarkdown, toOccupationsMarkdown } from './markdown.ts';
import { Occupation } from './occupation.ts';
import { codeShape, ListQuery, list, listFound, toCodes, toSearchPage } from './occupation-list.ts';
import { toSuccession } from './successors.ts';
import type { Search } from './titles/search.ts';

function toNoSuchCode(id: string, service: Service): Outcome {
  const links = { list: '/occupations' };
  const succession = toSuccession(id, service);
  if (succession) return { status: 404, body: { type: 'EMPTY', message: `${succession}.`, links } };
  const near = toNearest(
    id,
    service.catalogue.occupations.map((entry) => entry.id),
  );
  const message = `No occupation of O*NET-SOC 2019 has this code. Nearest: ${near.join(', ')}. Find one by job title at /occupations?q=`;
  return { status: 404, body: { type: 'EMPTY', message, links } };
}

export const occupations = [
  toOperation({
    operationId: 'listOccupations',
    method: 'GET',
    effect: 'read',
    path: '/occupations',
    tag: 'occupations',
    summary: 'List or search occupations',
    description:
      'O*NET-SOC codes and titles. With q, ranked by how likely each is right for a job title, with the measured chance; without a query, all of them.',
    listed: true,
    input: ListQuery,
    suggestions: {
      ...Object.fromEntries(
        ['query', 'title', 'search', 'name', 'keyword', 'occupation', 'code', 'onetCode', 'soc'].map(
          (name) => [name, 'q'],
        ),
      ),
      group: 'majorGroup',
      zone: 'jobZone',
    },
    sample: { q: 'android developer', limit: 5 },
    replies: {
      200: emptyList('Codes and titles, or EMPTY where none match.', toSearchPage(), (service) =>
        toValue(list({ limit: 2 }, service).body),
      ),
      400: blocked('invalid_request', 'The query is not valid; issues names each place.', [
        { path: 'jobZone', message: 'must be at most 5' },
      ]),
    },
    cache: 'public',
    workspace: false,
    markdown: toOccupationsMarkdown,
    page: true,
    tool: {
      title: 'Find an occupation code',
      description: 'Turn a job title into an O*NET-SOC code (q), or list codes by major group or job zone.',
    },
    frozen: () => ['/occupations'],
    check: ({ cursor }) => checkCursor('occupations', cursor),
    run(query, { service, call }) {
      const { q } = query;
      if (q === undefined) return list(query, service, call);
      if (codeShape.test(q.trim())) return list(query, service, call, toCodes(q, service));
      const search = service.search();
      const answer = (find: Search) => listFound(query, service, call, find(q));
      return search instanceof Promise ? search.then(answer) : answer(search);
    },
  }),
  toOperation({
    operationId: 'getOccupation',
    method: 'GET',
    effect: 'read',
    path: '/occupations/{id}',
    idText: 'O*NET-SOC code, such as 15-1252.00.',
    tag: 'occupations',
    summary: 'Read one occupation',
    description:
      'Skills with importance and level, technologies, related occupations and alternate titles, as far as O*NET 29.0 has them.',
    listed: true,
    input: v.object({}),
    sample: { id: '15-1252.00' },
    replies: {
      200: {
        description: 'The occupation.',
        schema: toOkSchema({ occupation: Occupation }),
        example: async ({ catalogue }) => ({
          type: 'OK',
          occupation: await catalogue.occupation('11-1011.00'),
        }),
      },
      400: blocked('invalid_path', 'The path or query is not valid.'),
      404: emptyRecord('No such code.'),
    },
    cache: 'public',
    workspace: false,
    markdown: toOccupationMarkdown,
    page: true,
    tool: {
      title: 'Read one occupation',
      description: 'Read the skills, technologies and related occupations of an O*NET-SOC code.',
    },
    frozen: ({ catalogue }) => catalogue.occupations.map(({ id }) => `/occupations/${id}`),
    async run({ id: sent }, { service }) {
      const id = sent.trim();
      const occupation = service.occupationByCode.has(id)
        ? await service.catalogue.occupation(id)
        : undefined;
      return occupation ? { status: 200, body: { type: 'OK', occupation } } : toNoSuchCode(id, service);
    },
  }),
  codeTitles,
];
