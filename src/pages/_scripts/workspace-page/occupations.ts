import { state, update } from './store.ts';

/** What the page shows of an occupation. */
interface ShownOccupation {
  title: string;
  pay?: { release: string; hourly?: Record<string, number | null> };
}

let titles: Promise<void> | undefined;
const titleByCode = new Map<string, string>();
const shown = new Map<string, ShownOccupation>();

/** The title of a code; the code itself until titles are read. */
export const titleOf = (code: string) => titleByCode.get(code) ?? code;

/** Reads the titles of all occupations, once. Without them codes are shown. */
export function learnTitles(): Promise<void> {
  titles ??= fetch('/occupations.json')
    .then((response) => response.json())
    .then(({ occupations }) => {
      for (const { id, title } of occupations) titleByCode.set(id, title);
      update({});
    })
    .catch(() => (titles = undefined));
  return titles;
}

/** An occupation with its pay, once it has been read. */
export function occupationOf(code: string): ShownOccupation | undefined {
  if (!shown.has(code)) {
    shown.set(code, { title: titleOf(code) });
    fetch(`/occupations/${code}.json`)
      .then((response) => response.json())
      .then(({ occupation }) => {
        shown.set(code, occupation);
        if (state.workspace) update({});
      })
      .catch(() => shown.delete(code));
  }
  return shown.get(code);
}
