import { readdirSync, readFileSync } from 'node:fs';
import { join, parse as parsePath } from 'node:path';
import * as v from 'valibot';
import { type BriefBook, createVariant, presentBrief } from '../../briefs/brief.ts';
import { checkParties } from '../../briefs/check-parties.ts';
import { Brief, Names } from '../../briefs/content-file.ts';
import { parseGuide } from '../../documents/guides.ts';
import type { Guide } from '../../documents/service.ts';
import { ServiceFacts } from '../../documents/service-facts.ts';
import { NearMisses } from '../../kernel/near-miss.ts';
import { CalendarDate } from '../../kernel/text.ts';
import { kinds } from '../../kinds.ts';
import { Matching } from '../../matches/match.ts';
import { buildMatchTables } from '../../matches/matcher.ts';
import { Successors } from '../../occupations/code.ts';
import {
  MajorGroupFile,
  type OccupationFact,
  OnetRelease,
  RatingsFile,
  SkillNames,
} from '../../occupations/content-files.ts';
import { LicensedFile } from '../../occupations/licensed.ts';
import type { Occupation, OccupationEntry } from '../../occupations/occupation.ts';
import { presentOccupation } from '../../occupations/occupation-record.ts';
import { readPay } from '../../occupations/pay.ts';
import { readSummaries } from '../../occupations/summaries.ts';
import { Calibration } from '../../occupations/titles/certainty.ts';
import { EverydayWords } from '../../occupations/titles/reading.ts';
import { governmentFiles, packSearchFile } from '../../occupations/titles/search-file.ts';
import { createPricingSchema, type MeteredDocument } from '../../pricing/document.ts';
import { createOffers, OffersFile } from '../../pricing/offer.ts';
import type { Catalogue } from '../../service.ts';
import { operations } from '../../table.ts';
import type { StoredRecord } from '../../workspace/record.ts';

function readJson(folder: string, name: string): unknown {
  const text = readFileSync(join(folder, name), 'utf8');
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`content/${name} is not JSON: ${(error as Error).message}`);
  }
}

/** Reads a content file by its schema. Throws an error that names the file, the path in it and the rule. */
function parse<S extends v.GenericSchema>(schema: S, folder: string, name: string): v.InferOutput<S> {
  const result = v.safeParse(schema, readJson(folder, name));
  if (result.success) return result.output;
  const places = result.issues.map((issue) => `  ${v.getDotPath(issue) ?? '(whole)'}: ${issue.message}`);
  throw new Error(`content/${name} is not valid:\n${places.join('\n')}`);
}

/** Reads the metered Pricing Document of content/pricing.json. Throws with the path and the rule if it breaks one. */
function readPricing(folder: string): MeteredDocument {
  const legal = operations.filter(({ listed }) => listed).map(({ operationId }) => operationId);
  const document = parse(createPricingSchema(legal), folder, 'pricing.json');
  if (document.model === 'metered') return document as MeteredDocument;
  throw new Error('content/pricing.json must have the model "metered", whose ceiling is offered.');
}

/** Reads every guide by its name, the first one to read first. Throws with the file if a guide is malformed. */
function readGuides(folder: string): Map<string, Guide> {
  const first = 'getting-started.md';
  const names = [first, ...readdirSync(join(folder, 'guides')).sort()];
  const guides = names.map((file): [string, Guide] => {
    const [, name] = /^([a-z]+(?:-[a-z]+)*)\.md$/.exec(file) ?? [];
    try {
      if (name === undefined) throw new Error('must have a name of words, and the suffix .md');
      return [name, parseGuide(name, readFileSync(join(folder, 'guides', file), 'utf8'))];
    } catch (error) {
      throw new Error(`content/guides/${file} ${(error as Error).message}`);
    }
  });
  return new Map(guides);
}

function readPapers(folder: string): Catalogue['papers'] {
  const files = readdirSync(join(folder, 'papers'));
  const readPaper = (file: string) => readFileSync(join(folder, 'papers', file), 'utf8');
  return Object.fromEntries(files.map((file) => [parsePath(file).name, readPaper(file)]));
}

/** Reads a brief. Throws an Error that names the file and each mistake in its people. */
function readBrief(folder: string, name: string): v.InferOutput<typeof Brief> {
  const brief = parse(Brief, folder, `briefs/${name}`);
  const problems = checkParties(brief);
  if (problems.length === 0) return brief;
  throw new Error(
    `content/briefs/${name} is not valid:\n${problems.map((problem) => `  ${problem}`).join('\n')}`,
  );
}

/** Reads every brief of content/briefs by level, and the names that its variants choose from. */
function readBriefs(folder: string): BriefBook {
  const files = readdirSync(join(folder, 'briefs')).sort();
  const briefs = files.map((name) => readBrief(folder, name));
  return {
    briefs: briefs.sort((a, b) => a.level - b.level),
    names: parse(Names, folder, 'brief-names.json'),
  };
}

/** Reads the data of the search over titles from content/titles. */
function readSearch(folder: string, facts: readonly OccupationFact[]): Uint8Array {
  const read = (name: string) => readFileSync(join(folder, 'titles', name));
  return packSearchFile({
    facts,
    governmentFiles: governmentFiles.map((name) => read(name).toString('utf8')),
    network: read('network.bin'),
    calibration: parse(Calibration, folder, 'titles/calibration.json'),
    everyday: parse(EverydayWords, folder, 'titles/everyday-words.json'),
  });
}

function omitExample({ example: _, ...fact }: StoredRecord & { example: true }): StoredRecord {
  return fact as StoredRecord;
}

/** The members of an occupation in the list. */
const pickEntry = ({ id, title, majorGroup, jobZone, pay }: Occupation): OccupationEntry => ({
  id,
  title,
  majorGroup: majorGroup.code,
  ...(jobZone !== undefined && { jobZone }),
  ...(pay?.hourly && { rates: [pay.hourly.p10, pay.hourly.p90] }),
  ...(pay?.annual && { salaries: [pay.annual.p10, pay.annual.p90] }),
});

/** Checks content/licensed.json, which the gate of matches imports. Throws if a code is not in O*NET-SOC. */
function checkLicensed(folder: string, titles: ReadonlyMap<string, string>): void {
  const { groups } = parse(LicensedFile, folder, 'licensed.json');
  for (const [name, { codes }] of Object.entries(groups))
    for (const code of codes)
      if (!titles.has(code)) throw new Error(`content/licensed.json: ${name}: ${code} is no occupation`);
}

/** content/seed/as-of.json: the day whose statuses the seed records show. */
const SeedAsOf = v.strictObject({ asOf: CalendarDate, statement: v.string() });

interface OccupationSources {
  /** The title of each occupation, by its code. */
  titles: ReadonlyMap<string, string>;
  onet: v.InferOutput<typeof OnetRelease>;
}

/** Builds the record of each occupation from its facts, its pay and its summary. Returns the summaries too. */
function readOccupations(
  folder: string,
  groups: readonly v.InferOutput<typeof MajorGroupFile>[],
  { titles, onet }: OccupationSources,
) {
  const source = `O*NET ${onet.release}, USDOL/ETA, ${onet.licence.name}, modified; see /onet.json`;
  const payOf = readPay(readFileSync(join(folder, 'wages', 'oews-2024.tsv'), 'utf8'));
  const summaries = readSummaries(readFileSync(join(folder, 'summaries.tsv'), 'utf8'), titles.keys());
  const titleOf = (code: string) => titles.get(code);
  const records = groups.flatMap(({ majorGroup, occupations }) =>
    occupations.map((fact) => {
      const { id } = fact;
      return presentOccupation(fact, majorGroup, titleOf, {
        summary: summaries[id]!,
        source,
        pay: payOf(id),
      });
    }),
  );
  return { records, summaries };
}

/** Returns a function that computes a value when it is first called, and returns the same value from then on. */
function computeOnce<T>(compute: () => T): () => T {
  let computed: { value: T } | undefined;
  return () => {
    computed ??= { value: compute() };
    return computed.value;
  };
}

/** Reads the catalogue from the content folder and checks each file. Throws if one is not valid. */
export function readContent(folder: string): Catalogue {
  const files = readdirSync(join(folder, 'occupations')).sort();
  const groups = files.map((name) => parse(MajorGroupFile, folder, `occupations/${name}`));
  const facts = groups.flatMap(({ occupations }) => occupations);
  const titles = new Map(facts.map(({ id, title }) => [id, title]));
  checkLicensed(folder, titles);
  const pricing = readPricing(folder);
  const onet = parse(OnetRelease, folder, 'onet.json');
  const guides = readGuides(folder);
  const book = readBriefs(folder);
  const matching = parse(Matching, folder, 'matching.json');
  const ratings = parse(RatingsFile, folder, 'ratings.json');
  const skillNames = parse(SkillNames, folder, 'skill-names.json');
  const { records, summaries } = readOccupations(folder, groups, { titles, onet });
  const byCode = new Map(records.map((record) => [record.id, record]));
  return {
    service: parse(ServiceFacts, folder, 'service.json'),
    pricing,
    papers: readPapers(folder),
    offers: createOffers(parse(OffersFile, folder, 'offers.json'), pricing),
    onet,
    executableTests: readFileSync(join(folder, 'suites/executable.mjs'), 'utf8'),
    seed: {
      asOf: parse(SeedAsOf, folder, 'seed/as-of.json').asOf,
      facts: Object.fromEntries(
        kinds.map(({ name, path, seed }) => [
          name,
          parse(v.array(seed), folder, `seed${path}.json`).map(omitExample),
        ]),
      ),
    },
    occupations: records.map(pickEntry),
    occupation: (code) => byCode.get(code),
    guides: [...guides.values()].map(({ text: _, ...entry }) => entry),
    guide: (name) => guides.get(name),
    briefs: book.briefs.map(({ id, title, level, checks }) => ({
      ...{ id, title, level, checks: checks.length },
      links: { self: `/briefs/${id}` },
    })),
    brief: (id) => presentBrief(createVariant(book.briefs.find((brief) => brief.id === id)!, book.names, 0)),
    briefBook: () => book,
    nearMisses: parse(NearMisses, folder, 'near-misses.json'),
    successors: parse(Successors, folder, 'successors.json'),
    summaries: () => summaries,
    searchFile: computeOnce(() => readSearch(folder, facts)),
    matching,
    matchTables: computeOnce(() => buildMatchTables(facts, { ratings, skillNames }, matching)),
  };
}
