import ipaddr from 'ipaddr.js';

/** Maximum length of an address in characters, with brackets, a zone and a port. */
const longestAddress = 100;

/**
 * Returns an IP address in canonical form, or undefined if the text is not an address. IPv4 is dotted without leading
 * zeros, IPv6 has eight groups, and an IPv4-mapped IPv6 address becomes that IPv4 address. Accepts the brackets, ports
 * and zones that proxies write.
 */
export function parseAddress(text: string): string | undefined {
  if (text.length > longestAddress) return undefined;
  const bare = /^\[([^\]]*)\](:\d+)?$/.exec(text)?.[1] ?? text.replace(/^([\d.]+):\d+$/, '$1');
  if (ipaddr.IPv4.isValidFourPartDecimal(bare)) return bare;
  const plain = bare.split('%', 1)[0]!;
  // Some parsers read a leading zero as octal. ipaddr.js reads the deprecated form `::1.2.3.4` as IPv4-mapped.
  if (!ipaddr.IPv6.isValid(plain) || /^::\d+\.|[:.]0\d+\.|\.0\d/.test(plain)) return undefined;
  const address = ipaddr.IPv6.parse(plain);
  return address.isIPv4MappedAddress() ? address.toIPv4Address().toString() : address.toNormalizedString();
}

/** Whether an address in the form of `parseAddress` is one of this machine. */
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

/** Header fields in which a proxy names the client of a request. */
const forwardingFields = ['x-forwarded-for', 'forwarded', 'x-real-ip'];

/** Host names of pages that this machine serves. */
const loopbackHost = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/i;

/** Names for clients without an address of their own. All callers of one of these kinds count as one client. */
const proxied = 'proxied';
const foreignPage = 'foreign-page';

/** What a host knows of the sender of a request. */
export interface Sender {
  /** The address at the other end of the connection, in the form of `parseAddress`. */
  peer: string;
  /** The value of a header, joined by commas if it was sent more than once; `name` in lower case. */
  header(name: string): string | undefined;
}

export interface CallerRules {
  /** How many proxies of ours a request passes; 0 if none is named. */
  proxies: number;
  /** The published origin, and the origins that the operator allows. */
  origins: readonly string[];
}

/** The caller that a request belongs to. */
interface Caller {
  /** The key under which limits count the caller: an address, or a word for all callers of a kind without one. */
  client: string;
  /** Whether a proxy forwarded the request although the settings name no proxy. */
  isProxied: boolean;
}

/** Whether a page sent the request that came neither from this service nor from an allowed origin. */
function isFromForeignPage({ header }: Sender, origins: readonly string[]): boolean {
  if (header('sec-fetch-site')?.trim().toLowerCase() === 'cross-site') return true;
  const origin = header('origin');
  if (origin === undefined || origins.includes(origin)) return false;
  const page = URL.parse(origin);
  const host = URL.parse(`http://${header('host')}`)?.host;
  return page === null || !loopbackHost.test(page.hostname) || page.host !== host;
}

/**
 * Finds the caller that a request belongs to.
 *
 * A request from loopback belongs to the operator of this machine, unless it shows signs of another sender. Such a sign
 * is a proxy that the settings do not name, or a page of another origin in a browser on this machine.
 */
export function findCaller(sender: Sender, { proxies, origins }: CallerRules): Caller {
  const { peer, header } = sender;
  if (proxies > 0)
    return { client: findClientAddress(peer, header('x-forwarded-for'), proxies), isProxied: false };
  const isProxied = forwardingFields.some((name) => header(name) !== undefined);
  if (!isLoopback(peer)) return { client: peer, isProxied };
  if (isProxied) return { client: proxied, isProxied };
  return { client: isFromForeignPage(sender, origins) ? foreignPage : peer, isProxied };
}

/**
 * The client that speaks to this process over stdin and stdout. It is no address, so that no request over a network can
 * have it.
 */
export const stdioClient = 'stdio';

/**
 * Whether a client has no limits, because it is the operator of this machine. With a proxy of ours, a request from
 * loopback may be anyone's: nginx and HAProxy name no caller unless their configuration asks for it.
 */
export const isExempt = (client: string, { proxies }: Pick<CallerRules, 'proxies'>): boolean =>
  client === stdioClient || (proxies === 0 && isLoopback(client));

/**
 * Returns all that is known of the caller as one text, forwarded addresses included. Two callers with the same text may
 * get each other's stored replies. Entries that our own proxies add to X-Forwarded-For are left out, because a retry
 * may pass other proxies.
 */
export function describeCaller({ peer, header }: Sender, { proxies }: CallerRules): string {
  const forwardedFor = header('x-forwarded-for');
  const entries = forwardedFor?.split(',').map((entry) => entry.trim());
  const fromCaller = entries?.slice(0, Math.max(1, entries.length - proxies + 1));
  const others = ['forwarded', 'x-real-ip', 'origin'].map((name) => header(name) ?? null);
  return JSON.stringify([findClientAddress(peer, forwardedFor, proxies), fromCaller ?? [], ...others]);
}
