/** How many networks of one IPv6 /56 may use a whole share at the same time. */
const sharesOfWide = 4;

/** A key under which a client is counted. All clients that count under it together have `shares` shares of a limit. */
export interface ClientKey {
  key: string;
  shares: number;
}

/** The first four groups of an IPv6 address in the form of `parseAddress`, or undefined for any other client. */
const splitGroups = (client: string) => (client.includes(':') ? client.split(':', 4) : undefined);

/** The number of an IPv6 /64 within its /56. */
const parseSubnet = (group: string) => Number.parseInt(group, 16) & 255;

function formatWideNetwork([first, second, third, fourth = '0']: string[]): string {
  const subnet = Number.parseInt(fourth, 16) & ~255;
  return `${first}:${second}:${third}:${subnet.toString(16)}::/56`;
}

/**
 * Lists the keys under which every limit counts a client. A client is an address, or a whole /64 if that is IPv6. All
 * networks of a /56 together have the shares of four clients, because a line or a rented machine often has a whole /56.
 */
export function listClientKeys(client: string): readonly ClientKey[] {
  const groups = splitGroups(client);
  if (!groups) return [{ key: client, shares: 1 }];
  return [
    { key: `${groups.join(':')}::/64`, shares: 1 },
    { key: formatWideNetwork(groups), shares: sharesOfWide },
  ];
}

/** How many shares of a limit all clients together have that count under a key. */
export const countShares = (key: string): number => (key.endsWith('/56') ? sharesOfWide : 1);

/** The turn of a client in a queue. An IPv6 /64 has one turn, and all networks of its /56 together have four. */
export function findTurn(client: string): string {
  const groups = splitGroups(client);
  return groups ? `${formatWideNetwork(groups)} ${parseSubnet(groups[3]!) % sharesOfWide}` : client;
}

/** How much of something is in use, in all and by each client. */
export class UseByClient {
  #byKey = new Map<string, number>();
  all = 0;

  /** Adds `more` to the use of a client. It may be negative. */
  add(client: string, more: number): void {
    this.all += more;
    for (const { key } of listClientKeys(client)) {
      const sum = (this.#byKey.get(key) ?? 0) + more;
      if (sum > 0) this.#byKey.set(key, sum);
      else this.#byKey.delete(key);
    }
  }

  /** Whether a client that may use `most` can use `more` in addition to what it uses now. */
  hasRoom(client: string, more: number, most: number): boolean {
    return listClientKeys(client).every(
      ({ key, shares }) => (this.#byKey.get(key) ?? 0) + more <= most * shares,
    );
  }
}
