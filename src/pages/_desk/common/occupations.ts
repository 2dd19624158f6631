import { type ShownOccupation, state } from '../state/state.ts';
import { updateState } from '../state/update.ts';

/** Returns an occupation, with its pay if that was read. Until titles are read, the code is its title. */
export const occupationOf = (code: string): ShownOccupation =>
  state.names.occupations.get(code) ?? { title: code };

/** The titles of all occupations, and the code of a title. Both are empty until titles are read. */
export const occupationTitles = () => [...state.names.occupations.values()].map(({ title }) => title);
export const codeOf = (title: string) =>
  [...state.names.occupations].find(([, one]) => one.title === title)?.[0];

/** Reads the titles of all occupations once. Without them the page shows codes. */
export function learnTitles(): void {
  const { names } = state;
  const { occupations } = names;
  names.titles ??= fetch('/occupations.json')
    .then((response) => response.json())
    .then((body) => {
      for (const { id, title } of body.occupations) occupations.set(id, { title, ...occupations.get(id) });
      updateState({});
    })
    .catch(() => (names.titles = undefined));
}

/** Reads an occupation with its pay. If that fails, the page shows only the title. */
export async function learnOccupation(code: string): Promise<void> {
  if (occupationOf(code).pay) return;
  try {
    const { occupations } = state.names;
    occupations.set(code, (await (await fetch(`/occupations/${code}.json`)).json()).occupation);
  } catch {}
}
