import type { Occupation } from '../../occupations/occupation.ts';
import { service } from './ask.ts';
import { contract } from './contract.ts';

/** Reads the whole record of a listed code. */
export async function readOccupation(code: string): Promise<Occupation> {
  return (await service.catalogue.occupation(code))!;
}

const byGroup = Map.groupBy(service.catalogue.occupations, ({ majorGroup }) => majorGroup);

/** Every major group with its occupations, ordered by code. */
export const majorGroups = await Promise.all(
  [...byGroup].map(async ([code, rows]) => {
    const { majorGroup } = await readOccupation(rows[0]!.id);
    return { code, title: majorGroup.title, rows };
  }),
);

/** Lists the seed records of a kind that have an occupation code. */
export function listSeedRecords(kind: string, code: string) {
  return service.seed.rows[kind]!.map(({ row }) => row.value).filter((row) => row.onetCode === code);
}

/** O*NET's job zones, from 1: how much preparation an occupation needs. */
export const jobZones = ['Little or no', 'Some', 'Medium', 'Considerable', 'Extensive'].map(
  (much, index) => ({ zone: index + 1, name: `${much} preparation` }),
);

const mostNeighbours = 10;
const { closeness } = await service.matcher();

/** Lists the occupations closest to a code, closest first, with what they do. Unrelated ones are left out. */
export function listNeighbours(code: string) {
  const closest = service.catalogue.occupations
    .map(({ id, title }) => ({ id, title, closeness: closeness(code, id) / 100 }))
    .filter(({ id, closeness: how }) => id !== code && how > 0)
    .sort((a, b) => b.closeness - a.closeness || a.id.localeCompare(b.id))
    .slice(0, mostNeighbours);
  return Promise.all(
    closest.map(async (neighbour) => ({
      ...neighbour,
      summary: (await readOccupation(neighbour.id)).summary,
    })),
  );
}

/** The least and the most that the contract allows for a rating of a skill. */
function readScale(member: string): { least: number; most: number } {
  const { skills } = contract.components.schemas.Occupation!.properties!;
  const { minimum, maximum } = skills!.items!.properties![member]!;
  return { least: minimum!, most: maximum! };
}

export const ratingScales = { importance: readScale('importance'), level: readScale('level') };
