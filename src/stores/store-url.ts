/** One server, a cluster, or the master that sentinels name. */
type StoreShape = 'single' | 'cluster' | 'sentinel';

/** The address of a Redis or Valkey server, of the nodes of a cluster, or of the sentinels. */
export interface StoreAddress {
  shape: StoreShape;
  tls: boolean;
  nodes: { host: string; port: number }[];
  /** The name that sentinels have for the master. */
  master?: string;
  username?: string;
  password?: string;
  database?: number;
}

const defaultPort = 6379;
/** Scheme, user and password before the last @, addresses, path. */
const form = /^(rediss?)(?:-(cluster|sentinel))?:\/\/(?:([^:]*)(?::(.*))?@)?([^@/?#]*)([^@]*)$/s;
const paths: Record<StoreShape, RegExp> = {
  single: /^\/?(?<database>\d{0,9})$/,
  cluster: /^\/?$/,
  sentinel: /^\/(?<master>[\w.-]+)(?:\/(?<database>\d{0,9}))?$/,
};
/** What is wrong with a URL. No message repeats a part of the URL, because that may be a misplaced login. */
const wrong = {
  login: 'its login is given once, before all addresses; in it write @ as %40, a comma as %2C and % as %25',
  address: 'an address is not HOST:PORT or [IPV6]:PORT; several are for redis-cluster or redis-sentinel',
  path: 'its addresses may be followed by /DB, a whole number, or for sentinels by /MASTER-NAME or /MASTER-NAME/DB',
};

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new Error(wrong.login);
  }
}

/**
 * Reads `redis://[USER:PASSWORD@]HOST[:PORT][/DB]`, `redis-cluster://[USER:PASSWORD@]HOST:PORT,HOST:PORT` and
 * `redis-sentinel://[USER:PASSWORD@]HOST:PORT,HOST:PORT/MASTER-NAME[/DB]`, each with TLS if it begins with `rediss`.
 * User and password are percent-encoded. Throws what is wrong. The message never holds the login.
 */
export function parseStoreUrl(text: string): StoreAddress {
  const [, scheme, many, username = '', password = '', addresses = '', path = ''] = form.exec(text) ?? [];
  if (many && (username + password).includes(',')) throw new Error(wrong.login);
  const nodes = addresses.split(',').map((address, index) => {
    const { hostname, port } = URL.parse(`redis://${address}`) ?? {};
    if (!hostname || (many ? !port : index > 0)) throw new Error(wrong.address);
    return { host: hostname.replace(/[[\]]/g, ''), port: Number(port || defaultPort) };
  });
  const shape = (many ?? 'single') as StoreShape;
  const match = paths[shape].exec(path);
  if (!match) throw new Error(wrong.path);
  const { master, database } = match.groups ?? {};
  return {
    shape,
    tls: scheme === 'rediss',
    nodes,
    master,
    database: database ? Number(database) : undefined,
    username: username ? decode(username) : undefined,
    password: password ? decode(password) : undefined,
  };
}
