import type { PageRecord } from '../state/model.ts';
import { updateState } from '../state/state.ts';

/** The ids of the chosen records, and the address of the page of the list that they were chosen on. */
let chosen = new Set<string>();
let chosenAt = '';
/** The row that was chosen last, from which a range begins. */
let anchor: string | undefined;

/** Forgets the choice if the address names another page of a list. */
function forgetOthers(): void {
  if (chosenAt === location.hash) return;
  chosen = new Set();
  anchor = undefined;
  chosenAt = location.hash;
}

/** Whether a record of the shown page is chosen. */
export function isChosen(id: string): boolean {
  forgetOthers();
  return chosen.has(id);
}

/** Chooses a record or not, and with `isRange` all that are between it and the one before. */
export function choose(
  rows: readonly PageRecord[],
  id: string,
  { isOn, isRange }: { isOn: boolean; isRange: boolean },
): void {
  forgetOthers();
  const findIndex = (of: string | undefined) => rows.findIndex((row) => row.id === of);
  const [at, from] = [findIndex(id), isRange ? findIndex(anchor) : -1];
  const [first, last] = from < 0 ? [at, at] : [Math.min(at, from), Math.max(at, from)];
  for (const row of rows.slice(first, last + 1)) {
    if (isOn) chosen.add(row.id);
    else chosen.delete(row.id);
  }
  anchor = id;
  updateState({});
}

/** Chooses all records of a page, or none. */
export function chooseAll(rows: readonly PageRecord[], isOn: boolean): void {
  forgetOthers();
  chosen = new Set(isOn ? rows.map(({ id }) => id) : []);
  updateState({});
}
