import { findNode, type NodeClient, type RedisClient } from './redis-client.ts';

/** Milliseconds for replicas to acknowledge. The connection does nothing else meanwhile. */
const replicasMs = 1000;

/**
 * Waits until this many replicas have everything that was written over the connection of a key. A failover to any of
 * them then loses none of it.
 *
 * Callers at the same time share one WAIT. For a slot that moves to another node, it waits at the node that the slot
 * leaves.
 */
export function createReplicaWait(replicas: number) {
  const waiting = new WeakMap<NodeClient, Promise<void>>();

  async function wait(node: NodeClient): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    waiting.delete(node);
    const count = await node.wait(replicas, replicasMs);
    if (count < replicas)
      throw new Error(`NOREPLICAS ${count} of ${replicas} replicas have the write in time`);
  }

  return async function waitForReplicas(client: RedisClient, key: string): Promise<void> {
    const node = await findNode(client, key);
    const shared = waiting.get(node) ?? wait(node);
    waiting.set(node, shared);
    return shared;
  };
}
