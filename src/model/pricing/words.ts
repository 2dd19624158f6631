import * as v from 'valibot';

const rule = 'Write a text that holds more than white space.';
const addressRule = 'Write an http or https address, or one of this origin that begins with a single slash.';
const flagRule = 'Write true or false.';

/** A text with at least one character that is not white space. */
export const Words = v.pipe(v.string(rule), v.regex(/\S/, rule));

/** An `http:` or `https:` address, or an origin-relative one, such as `/pricing.html#binding`. */
export const Address = v.pipe(
  v.string(addressRule),
  v.regex(/^(?:https?:\/\/[^\s/]\S*|\/(?:[^\s/]\S*)?)$/, addressRule),
);

/** true or false. */
export const Flag = v.boolean(flagRule);

/** One of the given words. */
export function toChoice<const T extends readonly string[]>(words: T) {
  return v.picklist(words, `Write one of ${words.map((word) => `"${word}"`).join(', ')}.`);
}
