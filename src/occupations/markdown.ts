import type { Service } from '../kernel/service.ts';
import type { Occupation } from './occupation.ts';

/** The occupation list as Markdown: how to search it, then every code and title by major group. */
export function toOccupationsMarkdown({ catalogue }: Service): string {
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

function toSkills({ skills, title }: Occupation): string {
  if (!skills) return `O*NET has no skill ratings for ${title} in this release.`;
  const rows = skills.map(
    ({ name, importance, level }) =>
      `- ${name}: importance ${importance} of 5${level === undefined ? '' : `, level ${level} of 7`}`,
  );
  return `The most important skills:\n\n${rows.join('\n')}`;
}

/** One occupation as prose for a model, or undefined where the code is unknown. */
export async function toOccupationMarkdown(
  service: Service,
  id: string | undefined,
): Promise<string | undefined> {
  const known = id !== undefined && service.occupationByCode.has(id);
  const occupation = known ? await service.catalogue.occupation(id) : undefined;
  if (!occupation) return undefined;
  const { title, majorGroup, jobZone, hotTechnologies, relatedOccupations, alternateTitles, links } =
    occupation;
  const related = relatedOccupations?.map((one) => `- [${one.id}](/occupations/${one.id}.md) ${one.title}`);
  const parts = [
    `# ${title} (${occupation.id})`,
    `An occupation of ${majorGroup.title} (${majorGroup.code})${jobZone === undefined ? '' : `, job zone ${jobZone} of 5`}.`,
    `Next: [available candidates](${links.candidates}), [open job orders](${links.jobOrders}).`,
    toSkills(occupation),
    hotTechnologies && `Technologies that set it apart: ${hotTechnologies.join(', ')}.`,
    alternateTitles && `Also called ${alternateTitles.join(', ')}.`,
    related && `Related occupations:\n\n${related.join('\n')}`,
    occupation.source,
  ];
  return `${parts.filter(Boolean).join('\n\n')}\n`;
}
