import { cutPageInSteps, decodeCursor, type Page } from '../../kernel/page.ts';
import { sortInSteps } from '../../kernel/sort-in-steps.ts';
import type { Steps } from '../../kernel/steps.ts';
import type { Kind } from '../kind/kind.ts';
import type { PresentedRecord, ViewedRecord } from '../kind/record.ts';
import { nameList, parseSort, type SortValue } from '../kind/sort.ts';

/** A record of a sorted list with what is compared. That is read once, because it can follow from other records. */
interface KeyedRecord {
  viewed: ViewedRecord;
  value: SortValue;
}

/**
 * Compares texts without case and accents, with numbers in them by their value. Records without a value come last in
 * both directions, and equal ones stay in the usual order of the list.
 */
function createComparison(isDown: boolean) {
  const { compare } = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });
  const compareValues = (a: string | number, b: string | number) =>
    typeof a === 'number' ? a - Number(b) : compare(a, String(b));
  return (a: KeyedRecord, b: KeyedRecord): number => {
    const hasA = a.value !== undefined && a.value !== null;
    const hasB = b.value !== undefined && b.value !== null;
    if (hasA !== hasB) return hasA ? -1 : 1;
    const order = hasA && hasB ? compareValues(a.value!, b.value!) : 0;
    return (isDown ? -order : order) || a.viewed.position - b.viewed.position;
  };
}

interface SortedPage {
  sort: string;
  limit: number;
  cursor?: string | undefined;
}

/** Collects the records of a sorted list, and returns a page of them. */
export class RecordSorter {
  readonly #kind: Kind;
  readonly #query: SortedPage;
  readonly #records: KeyedRecord[] = [];
  readonly #compare: ReturnType<typeof createComparison>;
  readonly #read: (viewed: ViewedRecord) => SortValue;

  constructor(kind: Kind, query: SortedPage) {
    const { member, isDown } = parseSort(query.sort);
    this.#kind = kind;
    this.#query = query;
    this.#read = kind.sorts[member]!;
    this.#compare = createComparison(isDown);
  }

  add(viewed: ViewedRecord): void {
    this.#records.push({ viewed, value: this.#read(viewed) });
  }

  /**
   * Sorts the records and returns the page. A cursor of a sorted list holds how many records came before, so it stays
   * valid if the last of them changes.
   */
  *readPage(): Steps<Page<PresentedRecord>> {
    const { sort, limit, cursor } = this.#query;
    const name = nameList(this.#kind.collection, sort);
    const sorted = yield* sortInSteps(this.#records, this.#compare);
    const start = cursor === undefined ? 0 : Math.max(0, decodeCursor(name, cursor) ?? 0);
    const rows = sorted
      .slice(start, start + limit + 1)
      .map(({ viewed: { row } }, index) => ({ row, position: start + index + 1 }));
    return yield* cutPageInSteps(name, rows, { limit, total: sorted.length });
  }
}
