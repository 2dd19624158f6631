import type { Occupation } from '../../occupations/occupation.ts';
import type { Service } from '../../service.ts';

/** Formats data of schema.org for a script element. `<` is escaped, so that it cannot end the element. */
export const toJsonLd = (data: Record<string, unknown>) =>
  JSON.stringify({ '@context': 'https://schema.org', ...data }).replaceAll('<', '\\u003c');

const license = 'https://creativecommons.org/licenses/by/4.0/';
const codeSet = { '@type': 'CategoryCodeSet', name: 'O*NET-SOC 2019', url: '/occupations.html' };

/** Describes the service, for the home page. */
export const describeApi = ({ catalogue: { service } }: Service) => ({
  '@type': 'WebAPI',
  name: service.title,
  description: service.description,
  url: '/',
  documentation: '/api.html',
  isAccessibleForFree: true,
});

/** Describes the vocabulary, for the list of occupations. */
export const describeDataset = ({ catalogue: { onet } }: Service, description: string) => ({
  '@type': 'Dataset',
  name: `Occupations of O*NET ${onet.release}`,
  description,
  url: '/occupations.html',
  version: onet.release,
  license,
  creator: {
    '@type': 'Organization',
    name: 'U.S. Department of Labor, Employment and Training Administration',
  },
  creditText: onet.credit,
  isAccessibleForFree: true,
  distribution: [
    { '@type': 'DataDownload', encodingFormat: 'application/json', contentUrl: '/occupations.json' },
    { '@type': 'DataDownload', encodingFormat: 'text/markdown', contentUrl: '/occupations.md' },
  ],
});

/** Describes an occupation, for its page. */
export const describeOccupation = ({ id, title, summary, skills }: Occupation) => ({
  '@type': 'Occupation',
  name: title,
  url: `/occupations/${id}.html`,
  description: summary,
  occupationalCategory: { '@type': 'CategoryCode', codeValue: id, name: title, inCodeSet: codeSet },
  ...(skills && { skills: skills.map(({ name }) => name).join(', ') }),
});
