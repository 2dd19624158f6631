import type { PageRecord } from '../state/model.ts';
import { state } from '../state/state.ts';
import { updateState } from '../state/update.ts';

/** Forgets the choice if the address names another page of a list. */
function forgetOthers(): void {
  if (state.selection.address === location.hash) return;
  state.selection = { ids: new Set(), address: location.hash, anchor: undefined };
}

/** Whether a record of the shown page is chosen. */
export function isChosen(id: string): boolean {
  forgetOthers();
  return state.selection.ids.has(id);
}

/** Chooses a record or not, and with `isRange` all that are between it and the one before. */
export function choose(
  rows: readonly PageRecord[],
  id: string,
  { isOn, isRange }: { isOn: boolean; isRange: boolean },
): void {
  forgetOthers();
  const { selection } = state;
  const findIndex = (of: string | undefined) => rows.findIndex((row) => row.id === of);
  const [at, from] = [findIndex(id), isRange ? findIndex(selection.anchor) : -1];
  const [first, last] = from < 0 ? [at, at] : [Math.min(at, from), Math.max(at, from)];
  for (const row of rows.slice(first, last + 1)) {
    if (isOn) selection.ids.add(row.id);
    else selection.ids.delete(row.id);
  }
  selection.anchor = id;
  updateState({});
}

/** Chooses all records of a page, or none. */
export function chooseAll(rows: readonly PageRecord[], isOn: boolean): void {
  forgetOthers();
  state.selection.ids = new Set(isOn ? rows.map(({ id }) => id) : []);
  updateState({});
}
