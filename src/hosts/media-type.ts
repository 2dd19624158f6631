const types: Record<string, string> = {
  bin: 'application/octet-stream',
  css: 'text/css; charset=utf-8',
  html: 'text/html; charset=utf-8',
  ico: 'image/x-icon',
  js: 'text/javascript; charset=utf-8',
  json: 'application/json; charset=utf-8',
  jsonld: 'application/ld+json',
  md: 'text/markdown; charset=utf-8',
  png: 'image/png',
  svg: 'image/svg+xml',
  txt: 'text/plain; charset=utf-8',
  webmanifest: 'application/manifest+json',
  woff2: 'font/woff2',
  xml: 'application/xml; charset=utf-8',
};

/** Returns the media type of a file by its suffix, or undefined if the suffix is unknown. */
export const findMediaType = (file: string): string | undefined =>
  types[file.slice(file.lastIndexOf('.') + 1)];
