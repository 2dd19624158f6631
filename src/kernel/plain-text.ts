/** How many lines a text may have. A text of one line has no tab either. */
export type Lines = 'one' | 'many';

/**
 * Characters that make a text look like another text, or that a terminal takes as a command. These are controls (C0,
 * DEL and C1), line and paragraph separators, annotation marks, and embeddings, overrides and isolates of direction.
 * Direction marks (U+200E, U+200F, U+061C) and joiners are allowed, because languages need them.
 */
const deceiving = /[\p{Cc}\u2028-\u202e\u2066-\u206f\ufff9-\ufffb]/u;
const everyDeceiving = /* @__PURE__ */ new RegExp(deceiving, 'gu');

/** Invisible copies of ASCII that a model can read. Only flags of regions may have them (UTS 51, ED-14a). */
const tag = /[\u{e0000}-\u{e007f}]/u;
const regionFlag = /\u{1f3f4}[\u{e0030}-\u{e0039}\u{e0061}-\u{e007a}]{3,6}\u{e007f}/gu;

const lineBreakOrTab = /[\t\n\r]/g;

/**
 * Letters, digits, punctuation and symbols, but not those without a shape: fillers, blanks and the object placeholder.
 */
const visible =
  /(?![\p{Default_Ignorable_Code_Point}\u2800\ufffc\u{1d159}])[\p{Letter}\p{Number}\p{Punctuation}\p{Symbol}]/u;

/** Whether a person can see anything of a text. U+200B alone shows nothing. */
export const isVisible = (text: string): boolean => visible.test(text);

function describe(character: string): string {
  const code = character.codePointAt(0)!;
  if (/[\n\r\u0085\u2028\u2029]/.test(character)) return 'a line break';
  if (character === '\t') return 'a tab';
  if (/\p{Cc}/u.test(character)) return 'a control character';
  if (code >= 0xe0000) return 'an invisible tag character';
  return code >= 0xfff9 ? 'an annotation mark' : 'a character that changes the direction of text';
}

/** Returns what a text holds that no text may hold, and what to send instead. Returns undefined if it holds nothing. */
export function findDeceiving(text: string, lines: Lines): string | undefined {
  const checked = lines === 'many' ? text.replace(lineBreakOrTab, ' ') : text;
  const hidden = tag.test(checked) ? checked.replace(regionFlag, '') : checked;
  const [character] = deceiving.exec(checked) ?? tag.exec(hidden) ?? [];
  if (character === undefined) return undefined;
  const code = character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0');
  const cure =
    lines === 'one' && /\s/.test(character) ? 'send one line, with spaces' : 'send the text without it';
  return `holds ${describe(character)} (U+${code}); ${cure}`;
}

/** Replaces each character that `findDeceiving` finds by U+FFFD, before a text is repeated to its caller. */
export const withoutDeceiving = (text: string): string => text.replace(everyDeceiving, '\ufffd');

/** Whether a text has more than `max` characters, counted in code points. One has at most two code units. */
export const hasMoreCharacters = (text: string, max: number): boolean =>
  text.length > 2 * max || (text.length > max && [...text].length > max);
