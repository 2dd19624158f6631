import type { OccupationFact } from '../content-files.ts';
import { packArrays, unpackArrays } from './arrays-file.ts';
import type { Calibration } from './certainty.ts';
import type { EverydayWords } from './reading.ts';
import { noTitle, ownTitle, packTitleIndex, type TitleFact } from './title-index.ts';
import { collectTitleParts } from './title-parts.ts';

/** The government's title files in content/titles. Training and packing read them in this order. */
export const governmentFiles = ['soc-index.tsv', 'soc-direct-match.tsv'];

/** The weight of a government title, relative to a title of O*NET. */
const governmentWeight = 0.5;

/** Everything that a search is made from. */
interface SearchContent {
  facts: readonly OccupationFact[];
  /** The texts of `governmentFiles`. */
  governmentFiles: readonly string[];
  /** The file that `npm run train-titles` writes. */
  network: Uint8Array;
  calibration: Calibration;
  everyday: EverydayWords;
  /** Whether a title is left out of the index. */
  isWithheld?: (title: string) => boolean;
}

/**
 * Returns the government's titles, each with the weights of its occupations from the trained network.
 * Throws if the network was trained with other titles.
 */
function weighGovernmentTitles(
  titles: readonly OccupationTitle[],
  arrays: ReturnType<typeof unpackArrays>,
): TitleFact[] {
  const { governmentEnds: ends, governmentOwners: owners, governmentShares: shares } = arrays;
  if (ends?.length !== titles.length)
    throw new Error('the network was trained with other titles: npm run train-titles');
  return titles.map(({ title }, at) => {
    const [start, end] = [at === 0 ? 0 : ends[at - 1]!, ends[at]!];
    return {
      title,
      number: noTitle,
      occupations: [...owners!.subarray(start, end)],
      weights: [...shares!.subarray(start, end)].map((share) => (governmentWeight * share) / 255),
    };
  });
}

const encodeJson = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));

/** Packs the file that `createSearch` takes: the trained network and the index of all titles. */
export function packSearchFile(content: SearchContent): Uint8Array {
  const { facts, governmentFiles, network, calibration, everyday, isWithheld = () => false } = content;
  const trained = unpackArrays(network);
  const { governmentEnds: _, governmentOwners: __, governmentShares: ___, ...weights } = trained;
  const codes = facts.map(({ id }) => id);
  const government = weighGovernmentTitles(
    governmentFiles.flatMap((file) => readGovernmentTitles(file, codes)),
    trained,
  );
  let number = 0;
  const onet = listOnetTitles(facts).map(
    ({ title, occupations, isOwn }): TitleFact => ({
      title,
      occupations,
      weights: [1],
      number: isOwn ? ownTitle : number++,
    }),
  );
  // If several titles of an occupation have the same words, a hit names the plainest one, which comes first here.
  const rank = (fact: TitleFact) => (fact.number === ownTitle ? 0 : fact.title.includes('(') ? 2 : 1);
  const ordered = [...onet.sort((a, b) => rank(a) - rank(b)), ...government];
  return packArrays({
    ...weights,
    ...packTitleIndex(ordered.filter(({ title }) => !isWithheld(title))),
    codes: new TextEncoder().encode(codes.join('\n')),
    names: new TextEncoder().encode(facts.flatMap(({ alternateTitles = [] }) => alternateTitles).join('\n')),
    calibration: encodeJson(calibration),
    everyday: encodeJson(everyday),
    parts: encodeJson([...collectTitleParts(facts)]),
  });
}

/** A title and the occupations that it may mean, as places in the order of codes. */
export interface OccupationTitle {
  title: string;
  occupations: number[];
}

/** Finds the occupations of a SOC code: `51-91XX` is a prefix, and `15-1230` means its whole broad occupation. */
function findOccupationsBySoc(soc: string, codes: readonly string[]): number[] {
  for (let start = soc.replaceAll('X', ''); start.length > 3; start = start.slice(0, -1)) {
    const places = codes.flatMap((code, place) => (code.startsWith(start) ? [place] : []));
    if (places.length > 0 || !start.endsWith('0')) return places;
  }
  return [];
}

/** Reads a government file. A line has a SOC code and its titles, each of which means one of its occupations. */
export function readGovernmentTitles(file: string, codes: readonly string[]): OccupationTitle[] {
  return file
    .trimEnd()
    .split('\n')
    .flatMap((line) => {
      const [soc = '', list = ''] = line.split('\t');
      const occupations = findOccupationsBySoc(soc, codes);
      return occupations.length === 0 ? [] : list.split('|').map((title) => ({ title, occupations }));
    });
}

/** Reads a file whose lines have a title and its codes. */
export function readCodedTitles(file: string, codes: readonly string[]): OccupationTitle[] {
  return file
    .trimEnd()
    .split('\n')
    .map((line) => {
      const [title = '', list = ''] = line.split('\t');
      return { title, occupations: list.split(',').map((code) => codes.indexOf(code)) };
    });
}

/** Lists every O*NET title with its occupation: the own title of each occupation, then its alternate titles. */
export function listOnetTitles(facts: readonly OccupationFact[]): (OccupationTitle & { isOwn: boolean })[] {
  return facts.flatMap(({ title, alternateTitles = [] }, place) => [
    { title, occupations: [place], isOwn: true },
    ...alternateTitles.map((alternate) => ({ title: alternate, occupations: [place], isOwn: false })),
  ]);
}
