/** Writes content/occupations and content/ratings.json, and updates the counts of content/onet.json. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import {
  MajorGroupFile,
  type OccupationFact,
  type OccupationRatings,
  OnetRelease,
  RatingsFile,
} from '../src/occupations/content-files.ts';
import { Mistake, readCommand, WrongCall } from './command.ts';

const usage = `npm run import-onet -- FOLDER

Writes content/occupations and content/ratings.json, and updates the counts of content/onet.json.
FOLDER  the release of O*NET as tab-separated files: occupations.tsv, skills.tsv and so on`;
const [folder] = readCommand(usage, { allowPositionals: true }).positionals;
if (!folder) throw new WrongCall('Name the folder of the release.');
const content = join(import.meta.dirname, '..', 'content');

type Column =
  | ('code' | 'title' | 'job_zone' | 'element_name' | 'importance' | 'level' | 'alternate_title')
  | ('example' | 'commodity_title' | 'hot_technology' | 'related_code' | 'tier' | 'index');
/** The cells of a row by column. Only the columns that `readTable` was called with are sure to be there. */
type Row = Record<Column, string>;

/**
 * Reads a file of the release: UTF-8, tab-separated, one header line, no quoting. Throws if the file or a column is
 * missing, or if a row and the header differ in the number of cells.
 */
function readTable(name: string, ...columns: Column[]): Row[] {
  const path = join(folder!, name);
  const [header = '', ...lines] = readFileSync(path, 'utf8').trimEnd().split(/\r?\n/);
  const names = header.split('\t');
  const missing = columns.find((column) => !names.includes(column));
  if (missing) throw new Mistake(`${path} has no column "${missing}"`);
  return lines.map((line, index) => {
    const cells = line.split('\t');
    if (cells.length !== names.length)
      throw new Mistake(`${path}, line ${index + 2}: ${cells.length} cells, not ${names.length}`);
    return Object.fromEntries(names.map((column, at) => [column, cells[at]])) as Row;
  });
}

const byText = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
const titles = new Map(readTable('occupations.tsv', 'code', 'title').map(({ code, title }) => [code, title]));
const codes = [...titles.keys()].sort(byText);

/**
 * Reads a file whose column `code` names an occupation. `of` returns the rows of a code in file order.
 * Throws if a code is not in occupations.tsv.
 */
function readByCode(name: string, ...columns: Column[]) {
  const rows = readTable(name, 'code', ...columns);
  for (const { code, related_code = code } of rows)
    for (const occupation of [code, related_code])
      if (!titles.has(occupation)) throw new Mistake(`${name}: ${occupation} is not in occupations.tsv`);
  const byCode = Map.groupBy(rows, ({ code }) => code);
  return { rows, of: (code: string) => byCode.get(code) ?? [] };
}

const zones = readByCode('job_zones.tsv', 'job_zone');
const skills = readByCode('skills.tsv', 'element_name', 'importance', 'level');
const technologies = readByCode('tech_skills.tsv', 'example', 'commodity_title', 'hot_technology');
const related = readByCode('related.tsv', 'related_code', 'tier', 'index');
const alternates = readByCode('alternate_titles.tsv', 'alternate_title');

/** Returns the different names in alphabetical order. */
const toNames = (names: Iterable<string>) => [...new Set(names)].sort();
const unlessEmpty = <T>(list: T[]) => (list.length > 0 ? list : undefined);
/** Counts how often each item occurs. */
const toCounts = <T>(list: T[]) =>
  new Map([...Map.groupBy(list, (item) => item)].map(([item, all]) => [item, all.length]));

const hotOf = (rows: Row[]) =>
  toNames(rows.filter((row) => row.hot_technology === 'Y').map((row) => row.example));

const tiers = ['Primary-Short', 'Primary-Long', 'Supplemental'];
/** Returns the related occupations of the wanted tiers, in the order of the release. */
function relatedOf(code: string, wanted: readonly string[]) {
  const rankOf = ({ tier, index }: Row) => tiers.indexOf(tier) * 100 + Number(index);
  const rows = related.of(code).filter(({ tier }) => wanted.includes(tier));
  return unlessEmpty(rows.sort((a, b) => rankOf(a) - rankOf(b)).map((row) => row.related_code));
}

/** Returns the ten most important skills. Ties go by level, highest first and suppressed last, then by name. */
function toSkills(code: string) {
  const rated = skills.of(code).map((row) => ({
    name: row.element_name,
    importance: Number(row.importance),
    ...(row.level !== '' && { level: Number(row.level) }),
  }));
  rated.sort(
    (a, b) => b.importance - a.importance || (b.level ?? -1) - (a.level ?? -1) || byText(a.name, b.name),
  );
  return unlessEmpty(rated.slice(0, 10));
}

/** The number of occupations that list each technology. */
const listings = toCounts(
  codes.flatMap((code) => [...new Set(technologies.of(code).map((row) => row.example))]),
);

/** Returns at most 15 hot technologies. Those that the fewest occupations list come first. */
function toTechnologies(code: string) {
  const names = hotOf(technologies.of(code));
  return unlessEmpty(names.sort((a, b) => listings.get(a)! - listings.get(b)! || byText(a, b)).slice(0, 15));
}

/** Returns the alternate titles in the order of the release, without repeats and the own title (ignoring case). */
function toAlternates(code: string) {
  const seen = new Set([titles.get(code)!.toLowerCase()]);
  const names = alternates.of(code).map((row) => row.alternate_title);
  return unlessEmpty(names.filter((name) => !seen.has(name.toLowerCase()) && seen.add(name.toLowerCase())));
}

function toFact(code: string): OccupationFact {
  const [zone] = zones.of(code);
  return {
    id: code,
    title: titles.get(code)!,
    jobZone: zone && Number(zone.job_zone),
    skills: toSkills(code),
    hotTechnologies: toTechnologies(code),
    relatedOccupations: relatedOf(code, tiers.slice(0, 2)),
    alternateTitles: toAlternates(code),
  };
}

const skillNames = toNames(skills.rows.map((row) => row.element_name));
const kinds = toNames(technologies.rows.map((row) => row.commodity_title));
const hotNames = hotOf(technologies.rows);

/** Returns the facts by which an occupation is compared, in addition to its titles. */
function toRatings(code: string): OccupationRatings {
  const byName = new Map(skills.of(code).map((row) => [row.element_name, Number(row.importance)]));
  const unrated = skillNames.find((name) => byName.size > 0 && !byName.has(name));
  if (unrated) throw new Error(`skills.tsv does not rate ${unrated} for every occupation that it rates`);
  const listed = technologies.of(code);
  const ofKinds = toCounts(listed.map((row) => kinds.indexOf(row.commodity_title)));
  return {
    importance: unlessEmpty([...byName]) && skillNames.map((name) => byName.get(name)!),
    technologies: unlessEmpty([...ofKinds].sort(([a], [b]) => a - b).flat()),
    hot: unlessEmpty(listed) && hotOf(listed).map((name) => hotNames.indexOf(name)),
    related: relatedOf(code, tiers),
  };
}

/** Writes a JSON object. Its last member, `name`, has one line for each of `lines`. */
function writeLines(file: string, members: object, [name, lines]: [string, string[]], [open, close]: string) {
  const others = Object.entries(members).map(
    ([member, value]) => `  "${member}": ${JSON.stringify(value)},\n`,
  );
  const list = lines.map((line) => `    ${line}`).join(',\n');
  writeFileSync(join(content, file), `{\n${others.join('')}  "${name}": ${open}\n${list}\n  ${close}\n}\n`);
}

const facts = codes.map(toFact);
const groups = readTable('soc_major_groups.tsv', 'code', 'title').map(({ code, title }) => ({
  majorGroup: { code, title },
  occupations: facts.filter(({ id }) => id.startsWith(`${code}-`)),
}));
const files = v.parse(v.array(MajorGroupFile), groups);
const lost = facts.length - files.flatMap(({ occupations }) => occupations).length;
if (lost > 0) throw new Error(`${lost} occupations are in no group of soc_major_groups.tsv`);
rmSync(join(content, 'occupations'), { recursive: true });
mkdirSync(join(content, 'occupations'));
for (const { majorGroup, occupations } of files) {
  const lines = occupations.map((fact) => JSON.stringify(fact));
  writeLines(`occupations/${majorGroup.code}.json`, { majorGroup }, ['occupations', lines], '[]');
}

const rated = codes.map((code) => [code, toRatings(code)] as const);
const { occupations, ...names } = v.parse(RatingsFile, {
  skills: skillNames,
  technologyKinds: kinds,
  hotTechnologies: hotNames,
  occupations: Object.fromEntries(rated.filter(([, ratings]) => JSON.stringify(ratings) !== '{}')),
});
const lines = Object.entries(occupations).map(([code, ratings]) => `"${code}": ${JSON.stringify(ratings)}`);
writeLines('ratings.json', names, ['occupations', lines], '{}');

// The name, licence and credit of the release are edited by hand in content/onet.json, so they stay.
const release = v.parse(OnetRelease, JSON.parse(readFileSync(join(content, 'onet.json'), 'utf8')));
const count = facts.reduce((sum, fact) => sum + (fact.alternateTitles?.length ?? 0), 0);
const statement =
  `${count} of the ${alternates.rows.length} alternate titles in the release, all of them searched. ` +
  `The other ${alternates.rows.length - count} repeat, but for upper and lower case, the title or another ` +
  'alternate title of the same occupation. A served occupation shows at most 25 of its own and says how many there are.';
const updated = { ...release, alternateTitles: { count, statement }, occupations: facts.length };
writeFileSync(join(content, 'onet.json'), `${JSON.stringify(updated, null, 2)}\n`);

console.log(`${facts.length} occupations in ${files.length} files of content/occupations`);
const members = ['jobZone', 'skills', 'hotTechnologies', 'relatedOccupations', 'alternateTitles'] as const;
for (const member of members) console.log(`  ${facts.filter((fact) => fact[member]).length} have ${member}`);
console.log(statement);
