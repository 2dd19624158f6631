import type { OccupationFact } from '../../src/occupations/content-files.ts';
import { type Row, readByCode, readTable } from './read-release.ts';

const byText = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
const tiers = ['Primary-Short', 'Primary-Long'];
const some = <T>(list: T[]) => (list.length > 0 ? list : undefined);

/** The ten most important skills; ties by level, highest first and suppressed last, then by name. */
function toSkills(rows: Row<'element_name' | 'importance' | 'level'>[]) {
  const skills = rows.map((row) => ({
    name: row.element_name,
    importance: Number(row.importance),
    ...(row.level !== '' && { level: Number(row.level) }),
  }));
  skills.sort(
    (a, b) => b.importance - a.importance || (b.level ?? -1) - (a.level ?? -1) || byText(a.name, b.name),
  );
  return some(skills.slice(0, 10));
}

/** At most 15 hot technologies, those that the fewest occupations list first. */
function toTechnologies(rows: Row<'example' | 'hot_technology'>[], listings: ReadonlyMap<string, number>) {
  const names = rows.filter((row) => row.hot_technology === 'Y').map((row) => row.example);
  const rarity = (name: string) => listings.get(name) ?? 0;
  return some([...new Set(names)].sort((a, b) => rarity(a) - rarity(b) || byText(a, b)).slice(0, 15));
}

/** The primary related occupations, in the release's order. */
function toRelated(rows: Row<'related_code' | 'tier' | 'index'>[]) {
  const primary = rows.filter((row) => tiers.includes(row.tier));
  primary.sort((a, b) => tiers.indexOf(a.tier) - tiers.indexOf(b.tier) || Number(a.index) - Number(b.index));
  return some(primary.map((row) => row.related_code));
}

/** Every alternate title in the release's order, less repeats (case ignored) and the occupation's own title. */
function toAlternates(title: string, rows: Row<'alternate_title'>[]) {
  const seen = new Set([title.toLowerCase()]);
  return some(
    rows
      .map((row) => row.alternate_title)
      .filter((name) => !seen.has(name.toLowerCase()) && seen.add(name.toLowerCase())),
  );
}

/** Reads a release folder. Answers every occupation in code order, and how many alternate titles it held. */
export function readFacts(folder: string): { facts: OccupationFact[]; alternateTitlesRead: number } {
  const occupations = readTable(folder, 'occupations.tsv', ['code', 'title']);
  const titles = new Map(occupations.map((row) => [row.code, row.title]));
  const zones = readByCode(folder, 'job_zones.tsv', titles, ['job_zone']);
  const skills = readByCode(folder, 'skills.tsv', titles, ['element_name', 'importance', 'level']);
  const technologies = readByCode(folder, 'tech_skills.tsv', titles, ['example', 'hot_technology']);
  const related = readByCode(folder, 'related.tsv', titles, ['related_code', 'tier', 'index']);
  const alternates = readByCode(folder, 'alternate_titles.tsv', titles, ['alternate_title']);

  const listings = new Map<string, number>();
  for (const rows of technologies.values()) {
    for (const name of new Set(rows.map((row) => row.example))) {
      listings.set(name, (listings.get(name) ?? 0) + 1);
    }
  }
  for (const row of [...related.values()].flat()) {
    if (!titles.has(row.related_code))
      throw new Error(`related.tsv: ${row.related_code} is not in occupations.tsv`);
  }
  const facts = [...titles.keys()].sort(byText).map((id) => {
    const title = titles.get(id)!;
    const zone = zones.get(id)?.[0];
    const fact = {
      id,
      title,
      jobZone: zone && Number(zone.job_zone),
      skills: toSkills(skills.get(id) ?? []),
      hotTechnologies: toTechnologies(technologies.get(id) ?? [], listings),
      relatedOccupations: toRelated(related.get(id) ?? []),
      alternateTitles: toAlternates(title, alternates.get(id) ?? []),
    };
    return JSON.parse(JSON.stringify(fact)) as OccupationFact;
  });
  return { facts, alternateTitlesRead: [...alternates.values()].reduce((sum, rows) => sum + rows.length, 0) };
}
