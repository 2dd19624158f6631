/** What the service says of the gates of an order. The texts of `unmet` begin with those of `missing`, in the same order. */
interface Gates {
  met: readonly { phrase: string; by: string }[];
  missing: readonly { phrase: string; until?: string }[];
  unmet: readonly string[];
  /** What neither side states, in words. */
  unknown?: readonly string[];
  /** Must-haves that are met at the start, and end before the work does. */
  endsDuring?: readonly { requirement: string; until: string }[];
}

/** What speaks for and against a person for an order, as a page shows it. */
export interface Evidence {
  /** The must-haves that are not met. `why` is `not shown`, or until when the credential that shows it is valid. */
  missing: { phrase: string; why: string }[];
  /** What else does not fit, such as the shift, in words. */
  others: readonly string[];
  unknown: readonly string[];
  ending: readonly { requirement: string; until: string }[];
  met: Gates['met'];
}

/** Sorts what the service says into what is missing, what else does not fit, what is in doubt, and what is met. */
export const sortEvidence = ({ met, missing, unmet, unknown = [], endsDuring = [] }: Gates): Evidence => ({
  missing: missing.map(({ phrase, until }) => ({
    phrase,
    why: until === undefined ? 'not shown' : `valid only until ${until}`,
  })),
  others: unmet.slice(missing.length),
  unknown,
  ending: endsDuring,
  met,
});

/** Cuts a must-have off what shows it, if that begins with the same words: only the rest says something new. */
export const cutPhrase = (by: string, phrase: string): string =>
  `${by} `.startsWith(`${phrase} `) ? by.slice(phrase.length).trim() : by;

interface Verdict {
  tone: 'is-ok' | 'is-offer' | 'is-blocked' | 'is-empty';
  words: string;
  /** What the words end with, such as the must-haves that are missing. */
  phrases: string[];
}

/** The most phrases that a verdict names. */
const mostNamed = 3;

function nameFirst(all: readonly string[]): string[] {
  const named = all.slice(0, mostNamed);
  const more = all.length - named.length;
  return more > 0 ? [...named, `${more} more`] : named;
}

/**
 * Says first what decides: whether a person meets the must-haves, and what is missing or in doubt. The tone is green only if
 * nothing is missing, unfit, about to end or unknown.
 */
export function describeVerdict({ missing, others, unknown, ending, met }: Evidence): Verdict {
  const total = missing.length + met.length;
  if (missing.length > 0) {
    const phrases = nameFirst(missing.map(({ phrase }) => phrase));
    return { tone: 'is-blocked', words: `Missing ${missing.length} of ${total}: `, phrases };
  }
  const hasMet = total > 0 ? `Meets ${total} of ${total}` : '';
  if (others.length > 0) {
    const misfit = others.length === 1 ? '1 thing does not fit' : `${others.length} things do not fit`;
    return { tone: 'is-blocked', words: hasMet ? `${hasMet}, but ${misfit}` : misfit, phrases: [] };
  }
  if (ending.length > 0) {
    const phrases = nameFirst(ending.map(({ requirement, until }) => `${requirement} on ${until}`));
    return { tone: 'is-offer', words: `${hasMet}, but ends during the work: `, phrases };
  }
  if (unknown.length > 0)
    return {
      tone: 'is-offer',
      words: hasMet ? `${hasMet}, but ` : 'Not sure: ',
      phrases: nameFirst(unknown),
    };
  return hasMet
    ? { tone: 'is-ok', words: `${hasMet} must-haves`, phrases: [] }
    : { tone: 'is-empty', words: 'No must-haves to check', phrases: [] };
}

/** Lists in words what speaks against a person: what is missing, does not fit, or ends during the work. */
export const listObjections = ({ missing, others, ending }: Evidence): string[] => [
  ...missing.map(({ phrase, why }) => `${phrase}: ${why}`),
  ...others,
  ...ending.map(({ requirement, until }) => `${requirement} ends on ${until}, during the work`),
];
