/** Without leading zeros: some read those as octal, and one address would have many names. */
const v4Shape = /^((25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(\.(?!$)|$)){4}$/;
/** Characters of an address at most, with brackets, a zone and a port. */
const longest = 100;

/** The eight 16-bit groups of an IPv6 address (RFC 4291 section 2.2), or undefined where it is none. */
function toGroups(text: string): number[] | undefined {
  const dotted = /^(.*:)(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/.exec(text);
  if (dotted && !v4Shape.test(dotted.slice(2).join('.'))) return undefined;
  const bytes = dotted?.slice(2).map(Number);
  const plain = bytes
    ? `${dotted![1]}${(bytes[0]! * 256 + bytes[1]!).toString(16)}:${(bytes[2]! * 256 + bytes[3]!).toString(16)}`
    : text;
  const halves = plain.split('::');
  const [head = [], tail = []] = halves.map((half) => (half === '' ? [] : half.split(':')));
  const missing = 8 - head.length - tail.length;
  if (halves.length > 2 || (halves.length === 2 ? missing < 1 : missing !== 0)) return undefined;
  const groups = [...head, ...Array<string>(missing).fill('0'), ...tail];
  if (!groups.every((group) => /^[0-9a-f]{1,4}$/i.test(group))) return undefined;
  return groups.map((group) => Number.parseInt(group, 16));
}

/**
 * An IP address in one form: IPv4 dotted, an IPv4-mapped IPv6 address as that IPv4 address, IPv6 as eight
 * groups without leading zeros. Takes brackets, a port and a zone, as proxies write them; undefined for
 * what is no address.
 */
export function toAddress(text: string): string | undefined {
  if (text.length > longest) return undefined;
  const bare = /^\[([^\]]*)\](:\d+)?$/.exec(text)?.[1] ?? text.replace(/^([\d.]+):\d+$/, '$1');
  if (v4Shape.test(bare)) return bare;
  const groups = toGroups(bare.split('%', 1)[0]!);
  if (!groups) return undefined;
  const isMapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff;
  if (!isMapped) return groups.map((group) => group.toString(16)).join(':');
  const [high = 0, low = 0] = groups.slice(6);
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}

/** Who shares one quota with an address that `toAddress` made: itself, or for IPv6 its /64 network. */
export function toNetwork(address: string): string {
  return address.includes(':') ? `${address.split(':', 4).join(':')}::/64` : address;
}

export function isLoopback(address: string): boolean {
  return address.startsWith('127.') || address === '0:0:0:0:0:0:0:1';
}

/**
 * The address of the caller behind `proxies` proxies of ours, each of which appends the address it was
 * called from to X-Forwarded-For: the entry that the outermost of them wrote. What stands left of it came
 * from the caller and is never read. A shorter list gives its first entry; no list, or an entry that is no
 * address, the peer of the connection.
 */
export function toClientAddress(peer: string, forwardedFor: string | undefined, proxies: number): string {
  const own = toAddress(peer) ?? peer;
  if (proxies === 0 || !forwardedFor) return own;
  const entries = forwardedFor.split(',');
  return toAddress(entries[Math.max(0, entries.length - proxies)]!.trim()) ?? own;
}
