/** One link of a Link header (RFC 8288). */
interface Link {
  /** Absolute. */
  href: string;
  rel: string[];
  type: string | undefined;
}

const linkValue = /<([^>]*)>((?:\s*;\s*[\w*-]+\s*=\s*(?:"[^"]*"|[^\s;,"]*))*)/g;

function toParameter(parameters: string, name: string): string | undefined {
  const [, quoted, bare] =
    new RegExp(`;\\s*${name}\\s*=\\s*(?:"([^"]*)"|([^\\s;,]*))`, 'i').exec(parameters) ?? [];
  return quoted ?? bare;
}

/** Returns the links of a header, with targets resolved against `base`. */
export function parseLinks(header: string | null | undefined, base: string): Link[] {
  return [...(header ?? '').matchAll(linkValue)].map(([, target = '', parameters = '']) => ({
    href: new URL(target, base).href,
    rel: (toParameter(parameters, 'rel') ?? '').split(/\s+/),
    type: toParameter(parameters, 'type'),
  }));
}

export type Representation = 'html' | 'json' | 'md';

const faceByType: Record<string, Representation> = {
  'text/html': 'html',
  'application/xhtml+xml': 'html',
  'application/json': 'json',
  'application/ld+json': 'json',
  'text/markdown': 'md',
};

/** Returns the format for a media type, without its parameters. */
function toFace(type: string | null | undefined): Representation | undefined {
  return faceByType[(type ?? '').split(';')[0]!.trim().toLowerCase()];
}

/** Returns the address of each format. The first link to a format counts. */
export function toAlternates(header: string | null | undefined, base: string): Map<Representation, string> {
  const alternates = new Map<Representation, string>();
  for (const { href, rel, type } of parseLinks(header, base)) {
    const face = toFace(type);
    if (face && rel.includes('alternate') && !alternates.has(face)) alternates.set(face, href);
  }
  return alternates;
}
