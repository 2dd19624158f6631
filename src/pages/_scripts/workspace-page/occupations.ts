import { update } from './store.ts';

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

/** Reads an occupation with its pay; without it the title alone is shown. */
export async function learnOccupation(code: string): Promise<void> {
  if (shown.has(code)) return;
  try {
    const { occupation } = await (await fetch(`/occupations/${code}.json`)).json();
    shown.set(code, occupation);
  } catch {}
}

/** An occupation, with its pay where that was read. */
export const occupationOf = (code: string): ShownOccupation => shown.get(code) ?? { title: titleOf(code) };
