/** A text as it stands, or in pieces that are written one after another: to join them first would be a copy more. */
export type Text = string | readonly string[];

/** A text in one string. */
export function toWhole(text: Text): string {
  return typeof text === 'string' ? text : text.join('');
}

export function toPieces(text: Text): readonly string[] {
  return typeof text === 'string' ? [text] : text;
}
