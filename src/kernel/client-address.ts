import ipaddr from 'ipaddr.js';

/** Characters of an address at most, with brackets, a zone and a port. */
const longest = 100;

/**
 * An IP address in one form: IPv4 dotted without leading zeros, an IPv4-mapped IPv6 address as that IPv4 address, IPv6
 * as eight groups. Takes brackets, a port and a zone, as proxies write them; undefined for what is not an address.
 */
export function parseAddress(text: string): string | undefined {
  if (text.length > longest) return undefined;
  const bare = /^\[([^\]]*)\](:\d+)?$/.exec(text)?.[1] ?? text.replace(/^([\d.]+):\d+$/, '$1');
  if (ipaddr.IPv4.isValidFourPartDecimal(bare)) return bare;
  const plain = bare.split('%', 1)[0]!;
  // Some read a leading zero as octal; ipaddr.js reads the deprecated form `::1.2.3.4` as IPv4-mapped.
  if (!ipaddr.IPv6.isValid(plain) || /^::\d+\.|[:.]0\d+\.|\.0\d/.test(plain)) return undefined;
  const address = ipaddr.IPv6.parse(plain);
  return address.isIPv4MappedAddress() ? address.toIPv4Address().toString() : address.toNormalizedString();
}

export function isLoopback(address: string): boolean {
  return address.startsWith('127.') || address === '0:0:0:0:0:0:0:1';
}

/**
 * The address of the caller behind `proxies` proxies of ours, each of which appends its own caller to X-Forwarded-For.
 * Entries before theirs come from the caller and are never read. A shorter list gives its first entry; no list, or an
 * entry that is not an address, gives the peer of the connection.
 */
export function findClientAddress(peer: string, forwardedFor: string | undefined, proxies: number): string {
  const own = parseAddress(peer) ?? peer;
  if (proxies === 0 || !forwardedFor) return own;
  const entries = forwardedFor.split(',');
  return parseAddress(entries[Math.max(0, entries.length - proxies)]!.trim()) ?? own;
}
