import { parseLinks } from './link-header.ts';
import type { Seen } from './visit.ts';

type Document = Pick<Seen, 'url' | 'type' | 'text' | 'headers'>;

/** Members of JSON documents that name a source, or an address that is not ours. */
const pathLike = /^\/[\w.~%!$&'()*+,;=:@/?-]*$/;

function toStrings(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(toStrings);
}

/** Returns addresses in a text: Markdown links, `GET /path` calls, and absolute URLs. */
function toTextLinks(text: string): string[] {
  const links = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, href = '']) => href);
  const calls = [...text.matchAll(/\bGET (\/[^\s`'")]*)/g)].map(([, path = '']) =>
    path.replace(/[.,:;]$/, ''),
  );
  return [...links, ...calls, ...toUrls(text)];
}

const toUrls = (text: string) =>
  [...text.matchAll(/https?:\/\/[^\s"'<>)`\\]+/g)].map(([url]) => url.replace(/[.,:;]$/, ''));

function toHtmlLinks(text: string): string[] {
  const attributes = [...text.matchAll(/\s(?:href|src|action)="([^"]*)"/g)].map(([, href = '']) => href);
  return attributes.map((href) => href.replaceAll('&amp;', '&')).filter((href) => !href.startsWith('#'));
}

function toJsonLinks(text: string): string[] {
  return toStrings(JSON.parse(text)).flatMap((value) => {
    const [, called] = /^GET (\/\S*)$/.exec(value) ?? [];
    if (called) return [called];
    return pathLike.test(value) || /^https?:\/\/\S+$/.test(value) ? [value] : [];
  });
}

function toLinks({ type, text }: Document): string[] {
  if (type === 'text/html') return toHtmlLinks(text);
  if (type.includes('json')) return toJsonLinks(text);
  if (type.includes('xml')) return toUrls(text);
  return type.startsWith('text/') && type !== 'text/css' && type !== 'text/javascript'
    ? toTextLinks(text)
    : [];
}

/**
 * Returns the addresses of this origin that a document links to, in its body and its Link header, except
 * templates and refs of a workspace.
 */
export function toTargets(document: Document, origin: string): string[] {
  const base = new URL(document.url, origin).href;
  const headed = parseLinks(String(document.headers.link ?? ''), base).map(({ href }) => href);
  const absolute = [...toLinks(document), ...headed].flatMap((href) =>
    URL.canParse(href, base) ? [new URL(href, base)] : [],
  );
  const ours = absolute.filter((url) => url.origin === origin && !/%7B|\{|%E2%80%A6|%23/i.test(url.href));
  return [...new Set(ours.map(({ pathname, search }) => pathname + search))];
}
