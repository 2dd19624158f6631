import type { Durability } from '../kernel/service.ts';
import type { NodeClient } from './redis-client.ts';
import { StoreFault } from './store-fault.ts';

const levels: readonly Durability[] = ['none', 'second', 'always'];

const findValue = (info: string, name: string) => new RegExp(`^${name}:(.*?)\r?$`, 'm').exec(info)?.[1];

/** Reads how durable a server is. If it does not allow `CONFIG GET`, it counts as flushing each second. */
async function readDurability(client: NodeClient): Promise<Durability> {
  if (findValue(await client.info('persistence'), 'aof_enabled') !== '1') return 'none';
  const { appendfsync }: Record<string, string> = await client.configGet('appendfsync').catch(() => ({}));
  if (appendfsync === 'always') return 'always';
  return appendfsync === 'no' ? 'none' : 'second';
}

/** Reads how many bytes of memory a server uses. */
export const readUsedMemory = async (client: NodeClient) =>
  Number(findValue(await client.info('memory'), 'used_memory'));

/** Rejects if a server is less durable than `promised`, or may evict workspaces when its memory is full. */
export async function refuseForgetful(client: NodeClient, promised: Durability): Promise<void> {
  const policy = findValue(await client.info('memory'), 'maxmemory_policy');
  if (policy !== undefined && policy !== 'noeviction')
    throw new StoreFault(
      'evicts',
      'the server throws records away when its memory is full; set its maxmemory-policy to noeviction',
      `maxmemory_policy:${policy}`,
    );
  const durability = await readDurability(client);
  if (levels.indexOf(durability) >= levels.indexOf(promised)) return;
  throw new StoreFault(
    'not_durable',
    'the server keeps less through a crash than STORE_DURABILITY promises; set its appendonly yes and appendfsync always (everysec for second), or STORE_DURABILITY to what it does',
    `it keeps ${durability}, promised is ${promised}`,
  );
}
