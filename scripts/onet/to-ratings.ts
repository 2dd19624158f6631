import type { OccupationRatings, RatingsFile } from '../../src/occupations/content-files.ts';
import { type Row, readByCode, readTable } from './read-release.ts';

const tiers = ['Primary-Short', 'Primary-Long', 'Supplemental'];

/** What differs, in the order of the alphabet. */
const toNames = (names: Iterable<string>) => [...new Set(names)].sort();

function toImportance(rows: readonly Row<'element_name' | 'importance'>[], skills: readonly string[]) {
  const byName = new Map(rows.map((row) => [row.element_name, Number(row.importance)]));
  return skills.map((name) => {
    const known = byName.get(name);
    if (known === undefined)
      throw new Error(`skills.tsv does not rate ${name} for every occupation that it rates`);
    return known;
  });
}

function toTechnologies(rows: readonly Row<'commodity_title'>[], kinds: readonly string[]): number[] {
  const counts = new Map<number, number>();
  for (const row of rows) {
    const kind = kinds.indexOf(row.commodity_title);
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  return [...counts].sort(([a], [b]) => a - b).flat();
}

function toHot(rows: readonly Row<'example' | 'hot_technology'>[], names: readonly string[]): number[] {
  return toNames(toHotNames(rows)).map((name) => names.indexOf(name));
}

const toHotNames = (rows: readonly Row<'example' | 'hot_technology'>[]) =>
  rows.filter((row) => row.hot_technology === 'Y').map((row) => row.example);

function toRelated(rows: readonly Row<'related_code' | 'tier' | 'index'>[]): string[] {
  const place = ({ tier, index }: Row<'tier' | 'index'>) => tiers.indexOf(tier) * 100 + Number(index);
  return rows.toSorted((a, b) => place(a) - place(b)).map((row) => row.related_code);
}

/** Reads a release folder: what the occupations are compared by beside their titles. */
export function readRatings(folder: string): RatingsFile {
  const codes = readTable(folder, 'occupations.tsv', ['code']).map(({ code }) => code);
  const known = new Map(codes.map((code) => [code, code]));
  const skills = readByCode(folder, 'skills.tsv', known, ['element_name', 'importance']);
  const technologies = readByCode(folder, 'tech_skills.tsv', known, [
    'commodity_title',
    'example',
    'hot_technology',
  ]);
  const related = readByCode(folder, 'related.tsv', known, ['related_code', 'tier', 'index']);
  const skillNames = toNames([...skills.values()].flat().map((row) => row.element_name));
  const kinds = toNames([...technologies.values()].flat().map((row) => row.commodity_title));
  const hotNames = toNames(toHotNames([...technologies.values()].flat()));
  const toRatings = (code: string): OccupationRatings => ({
    ...(skills.has(code) && { importance: toImportance(skills.get(code)!, skillNames) }),
    ...(technologies.has(code) && {
      technologies: toTechnologies(technologies.get(code)!, kinds),
      hot: toHot(technologies.get(code)!, hotNames),
    }),
    ...(related.has(code) && { related: toRelated(related.get(code)!) }),
  });
  const rated = codes.map((code) => [code, toRatings(code)] as const);
  return {
    skills: skillNames,
    technologyKinds: kinds,
    hotTechnologies: hotNames,
    occupations: Object.fromEntries(rated.filter(([, ratings]) => Object.keys(ratings).length > 0)),
  };
}

/** One occupation a line. */
export function toRatingsText({ occupations, ...names }: RatingsFile): string {
  const lines = Object.entries(occupations).map(
    ([code, ratings]) => `    "${code}": ${JSON.stringify(ratings)}`,
  );
  const lists = Object.entries(names).map(([member, list]) => `  "${member}": ${JSON.stringify(list)},`);
  return `{
${lists.join('\n')}
  "occupations": {
${lines.join(',\n')}
  }
}
`;
}
