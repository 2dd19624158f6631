import type { Durability } from '../kernel/service.ts';
import { type NodeClient, withinTime } from './redis-client.ts';
import { StoreFault } from './store-fault.ts';

const levels: readonly Durability[] = ['none', 'second', 'always'];

const toValue = (info: string, name: string) => new RegExp(`^${name}:(.*?)\r?$`, 'm').exec(info)?.[1];

/** What a server keeps through a crash. One that does not tell its `appendfsync` counts as flushing each second. */
async function toDurability(client: NodeClient): Promise<Durability> {
  const info = String(await withinTime(client.sendCommand(['INFO', 'persistence'])));
  if (toValue(info, 'aof_enabled') !== '1') return 'none';
  const told = await withinTime(client.sendCommand(['CONFIG', 'GET', 'appendfsync'])).catch(() => []);
  // A list of name and value before RESP3, then an object.
  const flush = Object.values(told).at(-1);
  if (flush === 'always') return 'always';
  return flush === 'no' ? 'none' : 'second';
}

/** Bytes of memory that a server uses. */
export async function readUsedMemory(client: NodeClient): Promise<number> {
  const memory = String(await withinTime(client.sendCommand(['INFO', 'memory'])));
  return Number(toValue(memory, 'used_memory'));
}

/** Rejects where a server keeps less than is `promised`, or may throw workspaces away when its memory is full. */
export async function refuseForgetful(client: NodeClient, promised: Durability): Promise<void> {
  const memory = String(await withinTime(client.sendCommand(['INFO', 'memory'])));
  const policy = toValue(memory, 'maxmemory_policy');
  if (policy !== undefined && policy !== 'noeviction')
    throw new StoreFault(
      'evicts',
      'the server throws records away when its memory is full; set its maxmemory-policy to noeviction',
      `maxmemory_policy:${policy}`,
    );
  const kept = await toDurability(client);
  if (levels.indexOf(kept) >= levels.indexOf(promised)) return;
  throw new StoreFault(
    'not_durable',
    'the server keeps less through a crash than STORE_DURABILITY promises; set its appendonly yes and appendfsync always (everysec for second), or STORE_DURABILITY to what it does',
    `it keeps ${kept}, promised is ${promised}`,
  );
}
