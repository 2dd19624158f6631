/** Where a Redis or Valkey server is, or the nodes of a cluster that are asked for the others. */
export interface StoreAddress {
  isCluster: boolean;
  tls: boolean;
  nodes: { host: string; port: number }[];
  username?: string;
  password?: string;
  database?: number;
}

const defaultPort = 6379;
/** Scheme, addresses, path; a login stands before the last @ of the rest. */
const form = /^(rediss?)(-cluster)?:\/\/([^@/?#]*)(.*)$/s;
const nodeForm = /^(?:\[([0-9a-f:.]+)\]|([\w.-]+))(?::(\d+))?$/i;

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new Error('its login holds a % that encodes nothing; write % as %25');
  }
}

function toNode(text: string, isCluster: boolean): StoreAddress['nodes'][number] {
  const [, address, name, port] = nodeForm.exec(text) ?? [];
  const host = address ?? name;
  if (!host) throw new Error(text ? 'it has an address that is not HOST:PORT' : 'a HOST is missing');
  if (isCluster && !port) throw new Error(`${host} is without its PORT`);
  const number = port ? Number(port) : defaultPort;
  if (number < 1 || number > 65_535) throw new Error('a PORT is from 1 to 65535');
  return { host, port: number };
}

/**
 * Reads `redis://[USER:PASSWORD@]HOST[:PORT][/DB]`, the same as `rediss://` (TLS), and `redis-cluster://` or
 * `rediss-cluster://` with `[USER:PASSWORD@]HOST:PORT,HOST:PORT`. User and password are percent-encoded.
 * Throws what is wrong; the message never holds the login.
 */
export function parseStoreUrl(text: string): StoreAddress {
  const at = text.lastIndexOf('@');
  const start = text.indexOf('//') + 2;
  const login = at < 0 ? '' : text.slice(start, at);
  const [, scheme, cluster, addresses = '', path = ''] =
    form.exec(at < 0 ? text : text.slice(0, start) + text.slice(at + 1)) ?? [];
  if (!scheme) throw new Error('its scheme is none of these');
  const isCluster = cluster !== undefined;
  const parts = addresses.split(',');
  if (!isCluster && parts.length > 1) throw new Error('several addresses are for redis-cluster://');
  const nodes = parts.map((part) => toNode(part, isCluster));
  const [, database] = /^\/?(\d{0,9})$/.exec(path) ?? [];
  if (database === undefined) throw new Error('after HOST:PORT only /DB, a whole number, may stand');
  if (isCluster && database) throw new Error('a cluster has no databases to choose from');
  const [username, ...rest] = login.split(':');
  const password = rest.join(':');
  return {
    isCluster,
    tls: scheme === 'rediss',
    nodes,
    ...(username && { username: decode(username) }),
    ...(password && { password: decode(password) }),
    ...(database && { database: Number(database) }),
  };
}
