/** Hides what is between the first `before` of a text and its last `@`, because it may be a login. */
export function hideLogin(text: string, before: string): string {
  const start = text.indexOf(before);
  const end = text.lastIndexOf('@');
  return start >= 0 && end > start ? `${text.slice(0, start + before.length)}***${text.slice(end)}` : text;
}
