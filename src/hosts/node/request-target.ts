/** The path and query of a request target, still encoded. */
export interface Target {
  path: string;
  query: string;
}

/** A request target in absolute form; its authority counts, and Host does not (RFC 9112 section 3.2.2). */
const absoluteForm = /^[a-z][a-z0-9+.-]*:\/\/([^/?#]*)/i;

/** A request target (RFC 9112 section 3.2) in origin form or absolute form; only the latter has an authority. */
export function toTarget(url: string): Target & { authority: string | undefined } {
  const [form = '', authority] = absoluteForm.exec(url) ?? [];
  const target = url.slice(form.length) || '/';
  const mark = target.indexOf('?');
  return mark < 0
    ? { path: target, query: '', authority }
    : { path: target.slice(0, mark) || '/', query: target.slice(mark + 1), authority };
}
