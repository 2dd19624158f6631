import * as v from 'valibot';

/**
 * A string of 1 to `max` characters with at least one that is not white space.
 * Refuses half of a surrogate pair, which no UTF-8 answer could give back.
 */
export function toText(max: number, title: string, description: string) {
  return v.pipe(
    v.string('must be a string'),
    v.minLength(1, 'must not be empty'),
    v.maxLength(max, `must be at most ${max} characters`),
    v.regex(/\S/, 'must hold more than white space'),
    v.check((text) => text.isWellFormed(), 'must be well-formed Unicode'),
    v.title(title),
    v.description(description),
  );
}

/** An origin-relative address (RFC 3986 section 4.2), such as `/candidates/cand_001`. */
export const Href = v.pipe(v.string(), v.description('Address relative to this origin.'));
