import ipaddr from 'ipaddr.js';

/** Maximum length of an address in characters, with brackets, a zone and a port. */
const longest = 100;

/**
 * Returns an IP address in canonical form, or undefined if the text is not an address. IPv4 is dotted without leading
 * zeros, IPv6 has eight groups, and an IPv4-mapped IPv6 address becomes that IPv4 address. Accepts the brackets, ports
 * and zones that proxies write.
 */
export function parseAddress(text: string): string | undefined {
  if (text.length > longest) return undefined;
  const bare = /^\[([^\]]*)\](:\d+)?$/.exec(text)?.[1] ?? text.replace(/^([\d.]+):\d+$/, '$1');
  if (ipaddr.IPv4.isValidFourPartDecimal(bare)) return bare;
  const plain = bare.split('%', 1)[0]!;
  // Some parsers read a leading zero as octal. ipaddr.js reads the deprecated form `::1.2.3.4` as IPv4-mapped.
  if (!ipaddr.IPv6.isValid(plain) || /^::\d+\.|[:.]0\d+\.|\.0\d/.test(plain)) return undefined;
  const address = ipaddr.IPv6.parse(plain);
  return address.isIPv4MappedAddress() ? address.toIPv4Address().toString() : address.toNormalizedString();
}

export function isLoopback(address: string): boolean {
  return address.startsWith('127.') || address === '0:0:0:0:0:0:0:1';
}

/**
 * Returns the address of the caller behind `proxies` proxies of ours. Each proxy appends the address that it saw to
 * X-Forwarded-For. Earlier entries come from the caller and are ignored.
 *
 * A list that is too short gives its first entry. Without a list, or if the entry is not an address, returns the peer
 * of the connection.
 */
export function findClientAddress(peer: string, forwardedFor: string | undefined, proxies: number): string {
  const entries = proxies === 0 || !forwardedFor ? [] : forwardedFor.split(',');
  const entry = entries[Math.max(0, entries.length - proxies)];
  return parseAddress(entry?.trim() ?? peer) ?? parseAddress(peer) ?? peer;
}
