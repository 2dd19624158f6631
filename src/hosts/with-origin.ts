/** Whether a file of the build says its own address, or links others, where a reader may have only its text. */
export const hasAddresses = (file: string): boolean => /\.(html|md)$|^\/llms-full/.test(file);

/**
 * The text of a page or of Markdown, as it is at `origin`; `file` is its path there. Links in Markdown become
 * absolute. A page gets a picture and, unless search engines leave it out, its canonical address. A page that was
 * built for an origin is left as it is.
 */
export function withOrigin(file: string, text: string, origin: string): string {
  if (!file.endsWith('.html')) return text.replaceAll('](/', `](${origin}/`);
  if (text.includes('<meta property="og:image" ')) return text;
  const address = origin + (file === '/index.html' ? '/' : file);
  const canonical = `<link rel="canonical" href="${address}"><meta property="og:url" content="${address}">`;
  const isListed = !text.includes('<meta name="robots" content="noindex"');
  const told = `${isListed ? canonical : ''}<meta property="og:image" content="${origin}/share.png">`;
  return text.replace('<meta property="og:type"', (type) => told + type);
}
