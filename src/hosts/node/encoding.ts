export type Encoding = 'identity' | 'br' | 'gzip';

/** What was read of a header before: clients send few different ones. */
const read = new Map<string, Encoding>();
const mostRead = 500;

/**
 * The best coding that Accept-Encoding takes (RFC 9110 section 12.5.3): brotli before gzip. A coding is
 * refused with q=0; `*` stands for those not named.
 */
export function toEncoding(header: string | undefined): Encoding {
  if (header === undefined || header === '') return 'identity';
  const known = read.get(header);
  if (known) return known;
  const encoding = readEncoding(header);
  if (read.size < mostRead) read.set(header, encoding);
  return encoding;
}

function readEncoding(header: string): Encoding {
  const taken = new Map(
    header
      .toLowerCase()
      .split(',')
      .map((part) => {
        const [coding = '', ...parameters] = part.split(';').map((piece) => piece.trim());
        const q = parameters.find((parameter) => parameter.startsWith('q='));
        return [coding, q === undefined || Number(q.slice(2)) > 0] as const;
      }),
  );
  const takes = (coding: string) => taken.get(coding) ?? taken.get('*') ?? false;
  if (takes('br')) return 'br';
  return takes('gzip') ? 'gzip' : 'identity';
}
