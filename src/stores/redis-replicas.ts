import { type Client, isCluster, type NodeClient } from './redis-client.ts';

/** Milliseconds that replicas may take; the connection does nothing else meanwhile. */
const waitMs = 1000;

/** What of a key decides its slot: what stands in its first braces, if anything does. */
function toTag(key: string): string {
  const start = key.indexOf('{');
  const end = key.indexOf('}', start + 1);
  return start >= 0 && end > start + 1 ? key.slice(start + 1, end) : key;
}

/** The slot of a key: CRC16 (XMODEM) of what stands in its braces, modulo 16,384 (the specification of Redis Cluster). */
export function toSlot(key: string): number {
  let crc = 0;
  for (const byte of Buffer.from(toTag(key))) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 0x8000 ? ((crc << 1) ^ 0x1021) & 0xffff : crc << 1;
  }
  return crc % 16_384;
}

/** The connection over which a client writes this key. */
async function toNodeClient(client: Client, key: string): Promise<NodeClient> {
  if (!isCluster(client)) return client;
  const shard = client.slots[toSlot(key)];
  if (!shard) throw new Error('CLUSTERDOWN no slot is assigned');
  return (await client.nodeClient(shard.master)) as unknown as NodeClient;
}

/**
 * Waits until so many replicas have all that was written over the connection of a key, so that a failover to any of
 * them loses none of it. Those who wait at once share one WAIT. What is written where a slot is on its way to another
 * node is waited for at the node that it leaves.
 */
export function createReplicaWait(replicas: number) {
  const waiting = new WeakMap<NodeClient, Promise<void>>();

  async function wait(node: NodeClient): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    waiting.delete(node);
    const count = Number(await node.sendCommand(['WAIT', `${replicas}`, `${waitMs}`]));
    if (count < replicas)
      throw new Error(`NOREPLICAS ${count} of ${replicas} replicas have the write in time`);
  }

  return async function acknowledged(client: Client, key: string): Promise<void> {
    const node = await toNodeClient(client, key);
    const shared = waiting.get(node) ?? wait(node);
    waiting.set(node, shared);
    return shared;
  };
}
