import type { OccupationFact } from '../content-files.ts';

/** A title and the occupations that it may be, as places in the order of codes. */
export interface Title {
  title: string;
  occupations: number[];
}

/** The occupations that a SOC code may be: `51-91XX` any that begins so, `15-1230` any of the broad occupation. */
function toCandidates(soc: string, codes: readonly string[]): number[] {
  for (let start = soc.replaceAll('X', ''); start.length > 3; start = start.slice(0, -1)) {
    const found = codes.flatMap((code, place) => (code.startsWith(start) ? [place] : []));
    if (found.length > 0 || !start.endsWith('0')) return found;
  }
  return [];
}

/** The titles of a government file, a SOC code and its titles a line; each title has one of its occupations. */
export function readGovernmentTitles(file: string, codes: readonly string[]): Title[] {
  return file
    .trimEnd()
    .split('\n')
    .flatMap((line) => {
      const [soc = '', list = ''] = line.split('\t');
      const occupations = toCandidates(soc, codes);
      return occupations.length === 0 ? [] : list.split('|').map((title) => ({ title, occupations }));
    });
}

/** The titles of a file whose lines are a title and the codes that it has. */
export function readCodedTitles(file: string, codes: readonly string[]): Title[] {
  return file
    .trimEnd()
    .split('\n')
    .map((line) => {
      const [title = '', list = ''] = line.split('\t');
      return { title, occupations: list.split(',').map((code) => codes.indexOf(code)) };
    });
}

/** Every O*NET title with its one occupation: each occupation's own title, then its alternate ones. */
export function toOnetTitles(facts: readonly OccupationFact[]): (Title & { isOwn: boolean })[] {
  return facts.flatMap(({ title, alternateTitles = [] }, place) => [
    { title, occupations: [place], isOwn: true },
    ...alternateTitles.map((one) => ({ title: one, occupations: [place], isOwn: false })),
  ]);
}
