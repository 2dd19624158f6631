import { defineOperation, type OperationContext, type OperationReply } from '../kernel/operation.ts';
import { checkCursor } from '../kernel/page.ts';
import { formatNearestCodes, normaliseCode, suggestCode } from './code.ts';
import { codeTitles } from './code-titles.ts';
import type { Occupation } from './occupation.ts';
import { codeShape, findUnderCode, ListQuery, listByCode, searchOccupations } from './occupation-list.ts';
import { formatFigure } from './pay.ts';
import type { OccupationService } from './service.ts';

function replyUnknownCode(id: string, service: OccupationService): OperationReply {
  const hint = suggestCode(id, service);
  const message = hint
    ? `${hint}.`
    : `No occupation of O*NET-SOC 2019 has this code. Nearest: ${formatNearestCodes(normaliseCode(id), service)}. Find one by job title at /occupations?q=`;
  return { status: 404, body: { type: 'EMPTY', message, links: { list: '/occupations' } } };
}

export const occupations = [
  defineOperation({
    operationId: 'listOccupations',
    method: 'GET',
    path: '/occupations',
    input: ListQuery,
    caching: { rule: 'public', frozen: () => ['/occupations'] },
    markdown: formatOccupationsMarkdown,
    page: true,
    check: ({ cursor }) => checkCursor('occupations', cursor),
    async run(query, { service, call }: OperationContext<OccupationService>) {
      const { q } = query;
      if (q === undefined) return listByCode(query, service, { call });
      if (!codeShape.test(normaliseCode(q))) return searchOccupations(query, service, call, q);
      const summaries = await service.summaries();
      return listByCode(query, service, { call, entries: findUnderCode(q, service), summaries });
    },
  }),
  defineOperation({
    operationId: 'getOccupation',
    method: 'GET',
    path: '/occupations/{id}',
    caching: {
      rule: 'public',
      frozen: ({ catalogue }: OccupationService) =>
        catalogue.occupations.map(({ id }) => `/occupations/${id}`),
    },
    markdown: formatOccupationMarkdown,
    page: true,
    async run({ id }, { service }: OperationContext<OccupationService>) {
      const occupation = service.occupationByCode.has(id)
        ? await service.catalogue.occupation(id)
        : undefined;
      return occupation ? { status: 200, body: { type: 'OK', occupation } } : replyUnknownCode(id, service);
    },
  }),
  codeTitles,
];

/** Formats the occupation list as Markdown: how to search it, then every code and title by major group. */
function formatOccupationsMarkdown({ catalogue }: OccupationService): string {
  const { occupations, onet } = catalogue;
  const lines = occupations.map(({ id, title, majorGroup }, index) => {
    const heading =
      occupations[index - 1]?.majorGroup === majorGroup ? '' : `\n## Major group ${majorGroup}\n\n`;
    return `${heading}- [${id}](/occupations/${id}.md) ${title}`;
  });
  return `# Occupations

All ${occupations.length} codes of O*NET-SOC, release ${onet.release}. You seldom need the whole list: ask for a code by job title with \`GET /occupations?q=registered%20nurse&limit=5\`, or filter by \`majorGroup\` (two digits) and \`jobZone\` (1 to 5); this Markdown face reads no query. Then use the code in \`/candidates?occupation=…\` and \`/job-orders?occupation=…\`.
${lines.join('\n')}

${onet.credit}
`;
}

function formatSkills({ skills, title }: Occupation): string {
  if (!skills) return `O*NET has no skill ratings for ${title} in this release.`;
  const rows = skills.map(
    ({ name, importance, level }) =>
      `- ${name}: importance ${importance} of 5${level === undefined ? '' : `, level ${level} of 7`}`,
  );
  return `The most important skills:\n\n${rows.join('\n')}`;
}

/** Describes pay in words: hourly if that is published, else annual. Returns undefined without figures. */
function describePay({ pay }: Occupation): string | undefined {
  const figures = pay?.hourly ?? pay?.annual;
  if (!pay || !figures) return undefined;
  const { p10, p25, median, p75, p90 } = figures;
  const texts = [p10, p25, median, p75, p90].map((figure) => formatFigure(figure, pay)).join(', ');
  const per = pay.hourly ? 'an hour' : 'a year';
  return `Pay ${per} at the 10th, 25th, 50th, 75th and 90th percentile: ${texts} (${pay.source}, ${pay.release}, SOC ${pay.soc}).`;
}

/** Formats an occupation as prose for a model, or returns undefined if the code is unknown. */
async function formatOccupationMarkdown(
  service: OccupationService,
  id: string | undefined,
): Promise<string | undefined> {
  const known = id !== undefined && service.occupationByCode.has(id);
  const occupation = known ? await service.catalogue.occupation(id) : undefined;
  if (!occupation) return undefined;
  const { title, summary, majorGroup, jobZone, hotTechnologies, relatedOccupations } = occupation;
  const { alternateTitles, links } = occupation;
  const related = relatedOccupations?.map((row) => `- [${row.id}](/occupations/${row.id}.md) ${row.title}`);
  const parts = [
    `# ${title} (${occupation.id})`,
    summary,
    `An occupation of ${majorGroup.title} (${majorGroup.code})${jobZone === undefined ? '' : `, job zone ${jobZone} of 5`}.`,
    `Next: [available candidates](${links.candidates}), [open job orders](${links.jobOrders}).`,
    formatSkills(occupation),
    describePay(occupation),
    hotTechnologies && `Technologies that set it apart: ${hotTechnologies.join(', ')}.`,
    alternateTitles && `Also called ${alternateTitles.join(', ')}.`,
    related && `Related occupations:\n\n${related.join('\n')}`,
    occupation.source,
  ];
  return `${parts.filter(Boolean).join('\n\n')}\n`;
}
