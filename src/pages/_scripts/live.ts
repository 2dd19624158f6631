import { registerWorker } from '../../hosts/worker/register.ts';

/** Whether queries and creates are answered at this address: by a live service, or by the worker in this browser. */
export async function isLive(): Promise<boolean> {
  return (await registerWorker()) !== 'none';
}
