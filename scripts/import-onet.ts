/** Makes content/occupations, content/ratings.json and content/onet.json: `node scripts/import-onet.ts FOLDER`. */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { MajorGroupFile, OnetRelease, RatingsFile } from '../src/occupations/content-files.ts';
import { readTable } from './onet/read-release.ts';
import { readFacts } from './onet/to-fact.ts';
import { readRatings, toRatingsText } from './onet/to-ratings.ts';

const folder = process.argv[2];
if (!folder) {
  console.error('Usage: node scripts/import-onet.ts FOLDER (the release as tab-separated files)');
  process.exit(2);
}
const content = join(import.meta.dirname, '..', 'content');

/** One occupation a line. */
function toText({ majorGroup, occupations }: MajorGroupFile): string {
  const lines = occupations.map((occupation) => `    ${JSON.stringify(occupation)}`);
  return `{\n  "majorGroup": ${JSON.stringify(majorGroup)},\n  "occupations": [\n${lines.join(',\n')}\n  ]\n}\n`;
}

/** The release, its licence and credit, and what was made of it. */
function toRelease(occupations: number, titlesRead: number, titlesKept: number) {
  const left = titlesRead - titlesKept;
  return {
    release: '29.0',
    title: 'O*NET 29.0 Database',
    released: '2024-08',
    publisher: 'U.S. Department of Labor, Employment and Training Administration (USDOL/ETA)',
    licence: { name: 'CC BY 4.0', url: 'https://creativecommons.org/licenses/by/4.0/' },
    credit:
      'This service includes information from the O*NET 29.0 Database by the U.S. Department of Labor, ' +
      'Employment and Training Administration (USDOL/ETA). Used under the CC BY 4.0 license ' +
      '(https://creativecommons.org/licenses/by/4.0/). O*NET® is a trademark of USDOL/ETA. ' +
      'This project has selected and rearranged the information. ' +
      'USDOL/ETA has not approved, endorsed, or tested these modifications.',
    trademark: 'O*NET® is a trademark of USDOL/ETA.',
    modifications:
      'A selection, rearranged by SOC major group: code, title, job zone, the ten most important skills ' +
      'with their importance and level, at most 15 hot technologies (those that the fewest occupations ' +
      'list first), the ten primary related occupations, and alternate titles. To compare occupations also ' +
      'the importance of all skills, how many technologies of each kind are listed, all hot technologies ' +
      'and all twenty related occupations; how close two occupations are was computed from these. No descriptions and no ' +
      'task statements. What the release lacks or suppresses is absent here; no value has been changed.',
    alternateTitles: {
      count: titlesKept,
      statement:
        `${titlesKept} of the ${titlesRead} alternate titles in the release, all of them searched. ` +
        `The other ${left} repeat, but for upper and lower case, the title or another alternate title of ` +
        'the same occupation. A served occupation shows at most 25 of its own and says how many there are.',
    },
    occupations,
  };
}

try {
  const { facts, alternateTitlesRead } = readFacts(folder);
  const groups = readTable(folder, 'soc_major_groups.tsv', ['code', 'title']);
  const files = groups.map((majorGroup) => {
    const occupations = facts.filter(({ id }) => id.startsWith(`${majorGroup.code}-`));
    return v.parse(MajorGroupFile, { majorGroup, occupations });
  });
  const filed = files.reduce((sum, file) => sum + file.occupations.length, 0);
  if (filed !== facts.length) {
    throw new Error(`${facts.length - filed} occupations are in no group of soc_major_groups.tsv`);
  }

  const home = join(content, 'occupations');
  mkdirSync(home, { recursive: true });
  for (const name of readdirSync(home)) if (name.endsWith('.json')) rmSync(join(home, name));
  for (const file of files) writeFileSync(join(home, `${file.majorGroup.code}.json`), toText(file));
  writeFileSync(join(content, 'ratings.json'), toRatingsText(v.parse(RatingsFile, readRatings(folder))));
  const kept = facts.reduce((sum, fact) => sum + (fact.alternateTitles?.length ?? 0), 0);
  const about = join(content, 'onet.json');
  // The wages are of another release, which is not read here.
  const { pay } = v.parse(OnetRelease, JSON.parse(readFileSync(about, 'utf8')));
  const release = { ...toRelease(facts.length, alternateTitlesRead, kept), pay };
  writeFileSync(about, `${JSON.stringify(release, null, 2)}\n`);

  const having = (member: keyof (typeof facts)[number]) =>
    facts.filter((fact) => fact[member] !== undefined).length;
  console.log(`${facts.length} occupations in ${files.length} files of content/occupations`);
  for (const member of [
    'jobZone',
    'skills',
    'hotTechnologies',
    'relatedOccupations',
    'alternateTitles',
  ] as const) {
    console.log(`  ${having(member)} have ${member}`);
  }
  console.log(release.alternateTitles.statement);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
