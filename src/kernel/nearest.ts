import { distance } from 'fastest-levenshtein';

/** Characters of a name that are compared. */
const longest = 40;

const toPlain = (name: string) => name.slice(0, longest).toLowerCase().replaceAll(/[_-]/g, '');

/** Names that callers guess for what many lists have. */
const guessed: Record<string, string> = {
  page: 'cursor',
  offset: 'cursor',
  size: 'limit',
  count: 'limit',
  perpage: 'limit',
  state: 'status',
};

/** The one of `names` that a caller who wrote `sent` most likely meant: at most a third of it is written otherwise. */
export function toMeant(sent: string, names: readonly string[]): string | undefined {
  const text = toPlain(sent);
  const usual = Object.hasOwn(guessed, text) ? guessed[text]! : '';
  if (names.includes(usual)) return usual;
  const rated = names.map((name) => ({ name, far: distance(text, toPlain(name)) }));
  const [best] = rated.sort((a, b) => a.far - b.far);
  return best && best.far <= Math.max(1, Math.floor(text.length / 3)) ? best.name : undefined;
}
