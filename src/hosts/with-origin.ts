import { anyOrigin } from '../documents/guides.ts';

/** Whether a file of the build needs absolute addresses, because a reader may have only its text. */
export const hasAddresses = (file: string): boolean => /\.(html|md)$|^\/llms-full/.test(file);

/** Pages that have a preview picture of their own, by the first part of their address. Pages below them share it. */
const pictured = [
  'api',
  'briefs',
  'claim',
  'confirm',
  'guides',
  'occupations',
  'pricing',
  'receipt',
  'shortlist',
  'verify',
  'watch',
  'workspace',
];

/** Returns the address of the preview picture of a page, which sites show with a link to it: 1200 by 630 pixels. */
export function findPicture(file: string): string {
  const [, first = ''] = /^\/(\w+)/.exec(file) ?? [];
  return `/previews/${pictured.includes(first) ? first : 'home'}.png`;
}

const [adviceStart, adviceEnd] = ['<noscript data-unknown-origin>', '</noscript>'];

/** Removes the advice to replace the address in blocks of code. */
function cutAdvice(text: string): string {
  const [first = '', ...rest] = text.split(adviceStart);
  return first + rest.map((part) => part.slice(part.indexOf(adviceEnd) + adviceEnd.length)).join('');
}

/**
 * Returns the text of a page or of Markdown as it is at `origin`. `file` is its path there. Links in Markdown become
 * absolute. A page gets a picture and, if search engines may list it, its canonical address. Its blocks of code show the
 * origin, and the advice to replace it is removed. A page that was built for an origin stays as it is.
 */
export function withOrigin(file: string, text: string, origin: string): string {
  if (!file.endsWith('.html')) return text.replaceAll('](/', `](${origin}/`);
  if (text.includes('<meta property="og:image" ')) return text;
  const address = origin + (file === '/index.html' ? '/' : file);
  const canonical = `<link rel="canonical" href="${address}"><meta property="og:url" content="${address}">`;
  const isListed = !text.includes('<meta name="robots" content="noindex"');
  const addresses = `${isListed ? canonical : ''}<meta property="og:image" content="${origin}${findPicture(file)}">`;
  return cutAdvice(text)
    .replace('<meta property="og:type"', (type) => addresses + type)
    .replaceAll(`<span data-origin>${anyOrigin}</span>`, `<span data-origin>${origin}</span>`);
}
