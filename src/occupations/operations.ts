import * as v from 'valibot';
import type { Call } from '../kernel/call.ts';
import { toOkSchema, toPageSchema } from '../kernel/envelope.ts';
import { Json, toValue } from '../kernel/json.ts';
import { type Outcome, toOperation } from '../kernel/operation.ts';
import { checkCursor, defaultLimit, paging, toFilter, toListReply, toPage } from '../kernel/page.ts';
import { blocked, emptyList, emptyRecord } from '../kernel/replies.ts';
import type { Service } from '../kernel/service.ts';
import { toNearest, toUnder } from './code.ts';
import { toOccupationMarkdown, toOccupationsMarkdown } from './markdown.ts';
import { Occupation, OccupationRow } from './occupation.ts';
import type { Search, SearchHit } from './search.ts';

const input = v.object({
  q: toFilter(
    'Job title',
    'A job title in plain words, such as "android developer"; the best match comes first.',
  ),
  majorGroup: v.optional(
    v.pipe(
      v.string('must be a string'),
      v.regex(/^\d{2}$/, 'must be two digits, such as 15'),
      v.title('Major group'),
      v.description('SOC major group, two digits.'),
    ),
  ),
  jobZone: v.optional(
    v.pipe(
      v.number('must be a whole number'),
      v.integer('must be a whole number'),
      v.minValue(1, 'must be at least 1'),
      v.maxValue(5, 'must be at most 5'),
      v.title('Job zone'),
      v.description('Preparation needed: 1 (little) to 5 (extensive).'),
    ),
  ),
  ...paging,
});

/** A whole O*NET-SOC code or a six-digit SOC code: what agents put into q beside job titles. */
const codeShape = /^\d{2}-\d{4}(\.\d{2})?$/;

function toCodes(q: string, { catalogue }: Service) {
  const isUnder = toUnder(q);
  return catalogue.occupations.filter(({ id }) => isUnder(id));
}

const listed = {
  path: '/occupations',
  member: 'occupations',
  none: 'No occupation matches. Try other or fewer words in q, a two-digit majorGroup, or a jobZone from 1 to 5.',
};

type Query = v.InferOutput<typeof input>;

function list(query: Query, service: Service, call?: Call, hits?: readonly SearchHit[]): Outcome {
  const { majorGroup, jobZone, limit, cursor } = query;
  const found = !hits
    ? service.catalogue.occupations
    : hits.flatMap(({ id, matched }) => {
        const entry = service.occupationByCode.get(id);
        return entry ? [matched === undefined ? entry : { ...entry, matched }] : [];
      });
  const rows = found.flatMap((entry, position) => {
    if (majorGroup !== undefined && entry.majorGroup !== majorGroup) return [];
    if (jobZone !== undefined && entry.jobZone !== jobZone) return [];
    const { id, title, matched } = entry;
    const row = matched === undefined ? { id, title } : { id, title, matched };
    return [{ position, row: Json.of(row) }];
  });
  const isBare =
    hits === undefined && majorGroup === undefined && jobZone === undefined && cursor === undefined;
  const page = toPage(listed.member, rows, { limit: limit ?? (isBare ? rows.length : defaultLimit), cursor });
  return toListReply(listed, page, query, call);
}

function toNoSuchCode(id: string, service: Service): Outcome {
  const near = toNearest(
    id,
    service.catalogue.occupations.map((entry) => entry.id),
  );
  const message = `No occupation of O*NET-SOC 2019 has this code. Nearest: ${near.join(', ')}. Find one by job title at /occupations?q=`;
  return { status: 404, body: { type: 'EMPTY', message, links: { list: '/occupations' } } };
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
      'O*NET-SOC codes and titles. With q, ranked by how well a title or an alternate title fits; without a query, all of them.',
    listed: true,
    input,
    sample: { q: 'android developer', limit: 5 },
    replies: {
      200: emptyList(
        'Codes and titles, or EMPTY where none match.',
        toPageSchema('occupations', OccupationRow),
        (service) => toValue(list({ limit: 2 }, service).body),
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
      if (codeShape.test(q)) return list(query, service, call, toCodes(q, service));
      const search = service.search();
      const answer = (found: Search) => list(query, service, call, found(q));
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
    async run({ id }, { service }) {
      const occupation = service.occupationByCode.has(id)
        ? await service.catalogue.occupation(id)
        : undefined;
      return occupation ? { status: 200, body: { type: 'OK', occupation } } : toNoSuchCode(id, service);
    },
  }),
];
