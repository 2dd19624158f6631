/** Records on a page of a list. */
export const pageSize = 50;

/** What the query of a list says beside its filters. */
const notFilters = ['cursor', 'sort', 'view'];

/** Returns the filters of the query of a list, with the words that it is searched for. */
export const pickFilters = (query: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(query).filter(([name, value]) => !notFilters.includes(name) && value));

/** Returns the cursors of this page and of the pages before it. The first page has none. */
export const parseTrail = ({ cursor = '' }: Record<string, string>): string[] =>
  cursor.split(',').filter(Boolean);
