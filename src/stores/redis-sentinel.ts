import { type Node, type NodeClient, toClientOnce, withinTime } from './redis-client.ts';
import type { StoreAddress } from './store-url.ts';

/** Milliseconds that a sentinel may take to answer. */
const sentinelMs = 1000;

/** Whether a server turns down a connection for want of a login. */
const wantsLogin = (error: unknown) => /^(NOAUTH|WRONGPASS|NOPERM) /.test((error as Error).message);

async function askOnce(address: Omit<StoreAddress, 'nodes' | 'shape'>, node: Node): Promise<Node> {
  const sentinel = toClientOnce(address, node, sentinelMs).on('error', () => {});
  try {
    await withinTime(sentinel.connect(), sentinelMs);
    const question = ['SENTINEL', 'GET-MASTER-ADDR-BY-NAME', address.master!];
    const told = (await withinTime(sentinel.sendCommand(question), sentinelMs)) as [string, string] | null;
    if (!told) throw new Error(`no master of the sentinels is named ${address.master}`);
    return { host: told[0], port: Number(told[1]) };
  } finally {
    sentinel.destroy();
  }
}

/** Asks a sentinel who the master is: without a login, and with that of the URL where it wants one. */
async function askSentinel({ tls, master, username, password }: StoreAddress, node: Node): Promise<Node> {
  const plain = { tls, ...(master !== undefined && { master }) };
  try {
    return await askOnce(plain, node);
  } catch (error) {
    if (password === undefined || !wantsLogin(error)) throw error;
    return askOnce({ ...plain, ...(username !== undefined && { username }), password }, node);
  }
}

/**
 * A client of the server that the first sentinel to answer calls the master, and that says so itself. Made of plain
 * clients: the driver's own for sentinels sends a command again whose connection ended, which may do it twice.
 */
export async function connectToMaster(
  address: StoreAddress,
  onError: (error: unknown) => void,
): Promise<NodeClient> {
  const node = await Promise.any(address.nodes.map((one) => askSentinel(address, one))).catch(
    (error: AggregateError) => {
      throw error.errors.find(({ message }) => /named/.test(message)) ?? error.errors[0];
    },
  );
  const client = toClientOnce(address, node).on('error', onError);
  try {
    await withinTime(client.connect());
    const [role] = (await withinTime(client.sendCommand(['ROLE']))) as unknown as [string];
    if (role !== 'master') throw new Error('READONLY the sentinels still name a server that is a replica');
    return client as unknown as NodeClient;
  } catch (error) {
    client.destroy();
    throw error;
  }
}
