import { learnNames, readList } from '../common/names.ts';
import { read } from '../state/client.ts';
import type { FoundMatch, NamedPlacement, PageRecord } from '../state/model.ts';
import { facts, findKind } from '../state/page-facts.ts';
import { type Fit, type FitList, type FitOrder, type FitPerson, findCurrent } from './fits.ts';
import { readProposers } from './proposers.ts';

/** The most people who are compared one by one because they are not among the best matches. */
const mostSought = 10;

const most = String(facts.maxLimit);

/** A record that is matched, and the kind of what it is matched with. */
interface Side {
  row: PageRecord;
  other: 'candidate' | 'jobOrder';
}

interface FoundMatches {
  matches: FoundMatch[];
  total: number;
  words: string;
}

/** Reads matches of a record, best first. */
async function readMatches({ row }: Side, query: Record<string, string>): Promise<FoundMatches> {
  const { body } = await read(`${row.links.self}/matches?${new URLSearchParams({ limit: most, ...query })}`);
  const { matches = [], total = 0, statement = '', message = '' } = body;
  return { matches, total, words: matches.length > 0 ? statement : message };
}

const readOther = (match: FoundMatch, { other }: Side) => match[other] as PageRecord;

/** Reads the match with each record that has a live placement and is not among the best matches. */
async function readMissing(side: Side, placements: readonly NamedPlacement[], found: readonly FoundMatch[]) {
  const known = new Set(found.map((match) => readOther(match, side).id));
  const idOf = (row: NamedPlacement) => (side.other === 'candidate' ? row.candidateId : row.jobOrderId);
  const nameOf = (row: NamedPlacement) => (side.other === 'candidate' ? row.candidateName : row.title);
  const sought = placements.filter((row) => !known.has(idOf(row)) && nameOf(row) !== null);
  const read = async (row: NamedPlacement) => {
    const { matches } = await readMatches(side, { q: nameOf(row)! }).catch(() => ({ matches: [] }));
    return matches.filter((match) => readOther(match, side).id === idOf(row));
  };
  return (await Promise.all(sought.slice(0, mostSought).map(read))).flat();
}

/** Reads how well a person fits an order. Returns undefined if the service does not compare them. */
export async function readPair(
  order: PageRecord,
  { id, name }: Pick<FitPerson, 'id' | 'name'>,
): Promise<FoundMatch | undefined> {
  const side: Side = { row: order, other: 'candidate' };
  const { matches } = await readMatches(side, { q: name });
  return matches.find((match) => readOther(match, side).id === id);
}

/** Reads the newest people of the workspace, by id: from when they are free, their shifts and their pay. */
export async function readPeople(): Promise<ReadonlyMap<string, FitPerson>> {
  const fields = 'name,title,metro,shifts,payRateUsdHour,salaryUsdYear,availableFrom,freeFrom';
  const { body } = await read(`/candidates?limit=${most}&fields=${fields}`);
  return new Map(((body.candidates ?? []) as FitPerson[]).map((person) => [person.id, person]));
}

async function readOrders(): Promise<ReadonlyMap<string, FitOrder>> {
  const { body } = await read(`/job-orders?limit=${most}`);
  return new Map(((body.jobOrders ?? []) as FitOrder[]).map((order) => [order.id, order]));
}

const readPlacements = async (query: Record<string, string>): Promise<NamedPlacement[]> =>
  (await readList(findKind('placement'), { ...query, limit: most })).rows as NamedPlacement[];

/** What is known of the records at the other end. */
interface Known {
  matches: readonly FoundMatch[];
  placements: readonly NamedPlacement[];
  describe(
    id: string,
    match: FoundMatch | undefined,
    placement: NamedPlacement | undefined,
  ): Pick<Fit, 'person' | 'order'>;
  findProposer: Awaited<ReturnType<typeof readProposers>>;
}

/** Joins matches and placements of the same pair. Matches come first, best first, then pairs that were not compared. */
function joinFits(side: Side, { matches, placements, describe, findProposer }: Known): Fit[] {
  const idOf = (row: NamedPlacement) => (side.other === 'candidate' ? row.candidateId : row.jobOrderId);
  const byOther = Map.groupBy(placements, idOf);
  const byId = new Map(matches.map((match) => [readOther(match, side).id, match]));
  return [...new Set([...byId.keys(), ...byOther.keys()])].map((id) => {
    const match = byId.get(id);
    const placement = findCurrent(byOther.get(id) ?? []);
    const proposer = findProposer(placement?.createdAt);
    return { ...describe(id, match, placement), match, placement, proposer };
  });
}

/** Reads who fits an order, and who is proposed for it. */
async function readOrderFits(row: PageRecord): Promise<FitList> {
  const side: Side = { row, other: 'candidate' };
  const [found, placements, people, findProposer] = await Promise.all([
    readMatches(side, { minScore: '1' }),
    readPlacements({ jobOrderId: row.id }),
    readPeople(),
    readProposers(),
  ]);
  const matches = [...found.matches, ...(await readMissing(side, placements, found.matches))];
  learnNames(matches.map((match) => readOther(match, side)));
  const order = row as FitOrder & PageRecord;
  const describe: Known['describe'] = (id, match, placement) => {
    const name = placement?.candidateName ?? id;
    const person = { id, name, ...(match && readOther(match, side)), ...people.get(id) };
    return { person, order };
  };
  const rows = joinFits(side, { matches, placements, describe, findProposer });
  return { of: row.id, rows, more: Math.max(0, found.total - found.matches.length), words: found.words };
}

/** Reads which orders fit a person, and for which the person is proposed. */
async function readPersonFits(row: PageRecord): Promise<FitList> {
  const side: Side = { row, other: 'jobOrder' };
  const [found, placements, orders, findProposer] = await Promise.all([
    readMatches(side, { minScore: '1' }),
    readPlacements({ candidateId: row.id }),
    readOrders(),
    readProposers(),
  ]);
  const matches = [...found.matches, ...(await readMissing(side, placements, found.matches))];
  learnNames(matches.map((match) => readOther(match, side)));
  const person = row as FitPerson & PageRecord;
  const describe: Known['describe'] = (id, match, placement) => {
    const names = { title: placement?.title ?? id, client: placement?.client ?? '' };
    const order = { id, ...names, ...(match && readOther(match, side)), ...orders.get(id) };
    return { person, order };
  };
  const rows = joinFits(side, { matches, placements, describe, findProposer });
  return { of: row.id, rows, more: Math.max(0, found.total - found.matches.length), words: found.words };
}

/** Reads the fits of a record. Other records than orders and people have none. */
export const readFits = (kind: string, row: PageRecord): Promise<FitList> =>
  kind === 'jobOrder' ? readOrderFits(row) : readPersonFits(row);

/** Reads the order of a placement. Returns undefined if it is gone. */
export async function readOrder({ links }: NamedPlacement): Promise<PageRecord | undefined> {
  if (!links.jobOrder) return undefined;
  return (await read(links.jobOrder)).body.jobOrder;
}
