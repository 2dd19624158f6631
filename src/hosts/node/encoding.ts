export type Encoding = 'identity' | 'br' | 'gzip';

/**
 * The best coding that Accept-Encoding takes (RFC 9110 section 12.5.3): brotli before gzip. A coding is
 * refused with q=0; `*` stands for those not named.
 */
export function toEncoding(header: string | string[] | undefined): Encoding {
  if (header === undefined || header === '') return 'identity';
  const text = String(header).toLowerCase();
  const taken = new Map(
    text.split(',').map((part) => {
      const [coding = '', ...parameters] = part.split(';').map((piece) => piece.trim());
      const q = parameters.find((parameter) => parameter.startsWith('q='));
      return [coding, q === undefined || Number(q.slice(2)) > 0];
    }),
  );
  const takes = (coding: string) => taken.get(coding) ?? taken.get('*') ?? false;
  if (takes('br')) return 'br';
  return takes('gzip') ? 'gzip' : 'identity';
}
