import * as v from 'valibot';
import type { Issue } from '../../kernel/envelope.ts';
import { checkCursor, decodeCursor } from '../../kernel/page.ts';
import { mayNamed } from '../../kernel/text.ts';
import type { ViewedRecord } from './record.ts';

/** What a list compares of a record. A record without a value comes last. */
export type SortValue = string | number | null | undefined;

/** How to read what a list compares, by the member that a caller names in `sort`. */
export type Sorts = Readonly<Record<string, (viewed: ViewedRecord) => SortValue>>;

/** Sorts by members that are read as they are stored. */
export const sortByStored = (...members: string[]): Sorts =>
  Object.fromEntries(members.map((member) => [member, ({ record }) => record[member] as SortValue]));

/** Sorts by members that follow from other records or from the day. */
export const sortByDerived = (...members: string[]): Sorts =>
  Object.fromEntries(members.map((member) => [member, (viewed) => viewed.derive(member) as SortValue]));

/** Returns the sorts of every kind. A status is compared by its place among `statuses`. */
export const createCommonSorts = (statuses: readonly string[]): Sorts => ({
  status: (viewed) => statuses.indexOf(viewed.status()),
  createdAt: ({ record }) => record.createdAt,
  updatedAt: ({ record: { createdAt, updatedAt = createdAt } }) => updatedAt,
});

/** Lists the values of `sort`: each member, and each with - before it. */
const listOrders = (sorts: Sorts) => Object.keys(sorts).flatMap((member) => [member, `-${member}`]);

/** Returns the parameter `sort` of a list. */
export function createSortFilter(sorts: Sorts) {
  const known = Object.keys(sorts).join(', ');
  const message = `takes one of ${known}, with - before it if descending`;
  return mayNamed(v.picklist(listOrders(sorts), message), 'Sort', 'A member; -member descends.');
}

export const parseSort = (sort: string) => ({ member: sort.replace(/^-/, ''), isDown: sort.startsWith('-') });

/** Names a list in its cursors. A sorted list has a name of its own for each order. */
export const nameList = (collection: string, sort?: string) =>
  sort === undefined ? collection : `${collection} by ${sort}`;

/** Returns an issue if a cursor belongs to another order of the list, or to no list of the collection. */
export function checkSortedCursor(
  { collection, sorts }: { collection: string; sorts: Sorts },
  { sort, cursor }: Readonly<Record<string, unknown>>,
): Issue[] {
  if (cursor === undefined) return [];
  const orders: (string | undefined)[] = [undefined, ...listOrders(sorts)];
  if (!orders.includes(sort as string | undefined)) return [];
  const issues = checkCursor(nameList(collection, sort as string | undefined), cursor);
  if (issues.length === 0) return [];
  const other = orders.findIndex(
    (one) => decodeCursor(nameList(collection, one), String(cursor)) !== undefined,
  );
  if (other < 0) return issues;
  const advice =
    other === 0 ? 'came without sort; leave sort out' : `came with sort=${orders[other]}; send that sort too`;
  return [{ path: 'cursor', message: `${advice}, or send no cursor` }];
}
