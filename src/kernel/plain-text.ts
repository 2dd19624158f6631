/** How many lines a text may have. A text of one line holds no tab either. */
export type Lines = 'one' | 'many';

/**
 * Characters that make a text read as something it is not, or that reach a terminal as a command: controls (C0, DEL and
 * C1), line and paragraph separators, annotation marks, and what sets the direction of text: embeddings, overrides,
 * isolates and their deprecated kin. Direction marks (U+200E, U+200F, U+061C) and joiners stay: languages need them.
 */
const deceiving = /[\p{Cc}\u2028-\u202e\u2066-\u206f\ufff9-\ufffb]/u;
const everyDeceiving = /* @__PURE__ */ new RegExp(deceiving, 'gu');

/** Copies of ASCII that no person sees and a model reads. They belong to the flags of regions alone (UTS 51, ED-14a). */
const tag = /[\u{e0000}-\u{e007f}]/u;
const regionFlag = /\u{1f3f4}[\u{e0030}-\u{e0039}\u{e0061}-\u{e007a}]{3,6}\u{e007f}/gu;

const lineBreakOrTab = /[\t\n\r]/g;

/** Letters, digits, punctuation and symbols, but those of no shape: fillers, blanks and the object placeholder. */
const visible =
  /(?![\p{Default_Ignorable_Code_Point}\u2800\ufffc\u{1d159}])[\p{Letter}\p{Number}\p{Punctuation}\p{Symbol}]/u;

/** Whether a person sees anything of a text: U+200B alone shows nothing. */
export const isVisible = (text: string): boolean => visible.test(text);

function describe(character: string): string {
  const code = character.codePointAt(0)!;
  if (/[\n\r\u0085\u2028\u2029]/.test(character)) return 'a line break';
  if (character === '\t') return 'a tab';
  if (/\p{Cc}/u.test(character)) return 'a control character';
  if (code >= 0xe0000) return 'an invisible tag character';
  return code >= 0xfff9 ? 'an annotation mark' : 'a character that changes the direction of text';
}

/** What a text holds that no text may hold, and what to send instead; undefined if nothing. */
export function findDeceiving(text: string, lines: Lines): string | undefined {
  const checked = lines === 'many' ? text.replace(lineBreakOrTab, ' ') : text;
  const hidden = tag.test(checked) ? checked.replace(regionFlag, '') : checked;
  const [found] = deceiving.exec(checked) ?? tag.exec(hidden) ?? [];
  if (found === undefined) return undefined;
  const code = found.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0');
  const cure =
    lines === 'one' && /\s/.test(found) ? 'send one line, with spaces' : 'send the text without it';
  return `holds ${describe(found)} (U+${code}); ${cure}`;
}

/** A text that is repeated to its caller, with U+FFFD in the place of each character that `findDeceiving` refuses. */
export const withoutDeceiving = (text: string): string => text.replace(everyDeceiving, '\ufffd');
