import { service } from './ask.ts';

/** An occupation near another one. */
export interface Neighbour {
  id: string;
  title: string;
  /** From above 0 to below 1. */
  closeness: number;
}

/** How many are told at most. */
const most = 10;
const { closeness } = await service.matcher();
const { occupations } = service.catalogue;

/** The closest occupations to a code, the closest first; fewer where fewer are close at all. */
export function toNeighbours(code: string): Neighbour[] {
  return occupations
    .map(({ id, title }) => ({ id, title, closeness: closeness(code, id) / 100 }))
    .filter(({ id, closeness: how }) => id !== code && how > 0)
    .sort((a, b) => b.closeness - a.closeness || a.id.localeCompare(b.id))
    .slice(0, most);
}
