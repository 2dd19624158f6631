/** What a match says of the gates of an order. The texts of `unmet` begin with those of `missing`, in the same order. */
interface Gates {
  met: readonly { phrase: string; by: string }[];
  missing: readonly { phrase: string; until?: string }[];
  unmet: readonly string[];
}

export interface MustHaves {
  /** The must-haves that are not met. `why` is `not shown`, or until when the credential that shows it is valid. */
  missing: { phrase: string; why: string }[];
  /** What else does not fit, such as the shift, in words. */
  others: string[];
  met: Gates['met'];
}

/** Sorts what a match says into must-haves that are missing, what else does not fit, and must-haves that are met. */
export const sortMustHaves = ({ met, missing, unmet }: Gates): MustHaves => ({
  missing: missing.map(({ phrase, until }) => ({
    phrase,
    why: until === undefined ? 'not shown' : `valid only until ${until}`,
  })),
  others: unmet.slice(missing.length),
  met,
});

/** Cuts a must-have off what shows it, if that begins with the same words: only the rest says something new. */
export const cutPhrase = (by: string, phrase: string): string =>
  `${by} `.startsWith(`${phrase} `) ? by.slice(phrase.length).trim() : by;

interface Verdict {
  tone: 'is-ok' | 'is-blocked' | 'is-empty';
  words: string;
  /** The must-haves that the words end with. */
  phrases: string[];
}

/** The most missing must-haves that a verdict names. */
const mostNamed = 3;

/** Says first what decides: whether a person meets the must-haves, and which are missing. */
export function describeVerdict({ missing, others, met }: MustHaves): Verdict {
  const total = missing.length + met.length;
  if (missing.length > 0) {
    const named = missing.slice(0, mostNamed).map(({ phrase }) => phrase);
    const more = missing.length - named.length;
    const phrases = more > 0 ? [...named, `${more} more`] : named;
    return { tone: 'is-blocked', words: `Missing ${missing.length} of ${total}: `, phrases };
  }
  const hasMet = total > 0 ? `Meets ${total} of ${total} must-haves` : '';
  if (others.length === 0) {
    return hasMet
      ? { tone: 'is-ok', words: hasMet, phrases: [] }
      : { tone: 'is-empty', words: 'No must-haves to check', phrases: [] };
  }
  const misfit = others.length === 1 ? '1 thing does not fit' : `${others.length} things do not fit`;
  return { tone: 'is-blocked', words: hasMet ? `${hasMet}, but ${misfit}` : misfit, phrases: [] };
}
