import { isIPv6 } from 'node:net';

/** One server, a cluster of several, or one that sentinels tell. */
type StoreShape = 'single' | 'cluster' | 'sentinel';

/** Where a Redis or Valkey server is, or the nodes or sentinels that are asked for it. */
export interface StoreAddress {
  shape: StoreShape;
  tls: boolean;
  nodes: { host: string; port: number }[];
  /** What sentinels call the master. */
  master?: string;
  username?: string;
  password?: string;
  database?: number;
}

const defaultPort = 6379;
/** Scheme, addresses, path; a login stands before the last @ of the rest. */
const form = /^(rediss?)(?:-(cluster|sentinel))?:\/\/([^@/?#]*)(.*)$/s;
const nodeForm = /^(?:\[([0-9a-f:.]+)\]|([\w.-]+))(?::(\d+))?$/i;

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new Error('its login holds a % that encodes nothing; write % as %25');
  }
}

/** One address of a list. What is wrong is told without its text, which may be a login that was put in the wrong place. */
function toNode(
  text: string,
  index: number,
  parts: string[],
  shape: StoreShape,
): StoreAddress['nodes'][number] {
  const where = parts.length > 1 ? `address ${index + 1}` : 'its address';
  if (!text) throw new Error(`a HOST is missing${parts.length > 1 ? ' beside a comma; leave that out' : ''}`);
  const [, address = '', name, port] = nodeForm.exec(text) ?? [];
  const host = isIPv6(address) ? address : name;
  if (!host)
    throw new Error(
      `${where} is not HOST:PORT or [IPV6]:PORT; scheme and login stand once, before all addresses`,
    );
  if (shape !== 'single' && !port) throw new Error(`${where} is without its PORT`);
  const number = port ? Number(port) : defaultPort;
  if (number < 1 || number > 65_535) throw new Error('a PORT is from 1 to 65535');
  return { host, port: number };
}

/** The name of the master and the database, as far as a URL of this shape has them. */
function toPlace(path: string, shape: StoreShape): Pick<StoreAddress, 'master' | 'database'> {
  if (/[?#]/.test(path)) throw new Error('it has no options; leave out ? or #, and what follows');
  if (shape === 'cluster') {
    if (!/^\/?$/.test(path))
      throw new Error('a cluster has no databases; leave out what follows its addresses');
    return {};
  }
  const isWatched = shape === 'sentinel';
  const allowed = isWatched ? /^\/([\w.-]+)(?:\/(\d{0,9}))?$/ : /^\/?()(\d{0,9})$/;
  const [, master, number] = allowed.exec(path) ?? [];
  if (isWatched && !master)
    throw new Error(
      'after its addresses sentinels need /MASTER-NAME, as in their `sentinel monitor`, then only /DB',
    );
  if (master === undefined) throw new Error('after HOST:PORT only /DB, a whole number, may stand');
  return { ...(master && { master }), ...(number && { database: Number(number) }) };
}

/**
 * Reads `redis://[USER:PASSWORD@]HOST[:PORT][/DB]`, `redis-cluster://[USER:PASSWORD@]HOST:PORT,HOST:PORT` and
 * `redis-sentinel://[USER:PASSWORD@]HOST:PORT,HOST:PORT/MASTER-NAME[/DB]`, each with TLS where it begins with `rediss`.
 * User and password are percent-encoded. Throws what is wrong; the message never holds the login.
 */
export function parseStoreUrl(text: string): StoreAddress {
  const at = text.lastIndexOf('@');
  const start = text.indexOf('//') + 2;
  const login = at < 0 ? '' : text.slice(start, at);
  const [, scheme, many, addresses = '', path = ''] =
    form.exec(at < 0 ? text : text.slice(0, start) + text.slice(at + 1)) ?? [];
  if (!scheme) throw new Error('its scheme is none of these');
  const shape = (many ?? 'single') as StoreShape;
  const parts = addresses.split(',');
  if (shape === 'single' && parts.length > 1)
    throw new Error('several addresses are for redis-cluster:// or redis-sentinel://');
  if (shape !== 'single' && login.includes(','))
    throw new Error('a login stands once, before all addresses; in it write @ as %40 and a comma as %2C');
  const nodes = parts.map((part, index) => toNode(part, index, parts, shape));
  const place = toPlace(path, shape);
  const [username, ...rest] = login.split(':');
  const password = rest.join(':');
  return {
    shape,
    tls: scheme === 'rediss',
    nodes,
    ...place,
    ...(username && { username: decode(username) }),
    ...(password && { password: decode(password) }),
  };
}
