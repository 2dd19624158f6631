import type { Occupation } from '../../occupations/occupation.ts';
import { service } from './ask.ts';

/** The whole record of a listed code. */
export async function readOccupation(code: string): Promise<Occupation> {
  return (await service.catalogue.occupation(code))!;
}

const byGroup = Map.groupBy(service.catalogue.occupations, ({ majorGroup }) => majorGroup);

/** Every major group with its occupations, in code order. */
export const majorGroups = await Promise.all(
  [...byGroup].map(async ([code, rows]) => {
    const { majorGroup } = await readOccupation(rows[0]!.id);
    return { code, title: majorGroup.title, rows };
  }),
);

/** The seed records of a kind that carry an occupation code. */
export function listSeedRecords(kind: string, code: string) {
  return service.seed.rows[kind]!.map(({ row }) => row.value).filter((row) => row.onetCode === code);
}

/** O*NET's job zones, from 1: how much preparation an occupation asks for. */
export const jobZones = ['Little or no', 'Some', 'Medium', 'Considerable', 'Extensive'].map(
  (much, index) => ({ zone: index + 1, name: `${much} preparation` }),
);

const mostNeighbours = 10;
const { closeness } = await service.matcher();

/** The closest occupations to a code, the closest first; fewer where fewer are close at all. */
export function listNeighbours(code: string) {
  return service.catalogue.occupations
    .map(({ id, title }) => ({ id, title, closeness: closeness(code, id) / 100 }))
    .filter(({ id, closeness: how }) => id !== code && how > 0)
    .sort((a, b) => b.closeness - a.closeness || a.id.localeCompare(b.id))
    .slice(0, mostNeighbours);
}
