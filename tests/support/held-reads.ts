import { AsyncLocalStorage } from 'node:async_hooks';
import { nodePlatform } from '../../src/hosts/node-platform.ts';
import { createAnswer } from '../../src/kernel/answer.ts';
import { makeCore, type Told } from './core.ts';

/** Turns of the event loop after which everything has finished that does not wait for a held read. */
const turns = 50;

const letAllGoOn = async () => {
  for (let turn = 0; turn < turns; turn += 1) await new Promise((resolve) => setImmediate(resolve));
};

/** A service in this process whose reads of a workspace can be held when they yield to others. */
export function makeHeldCore() {
  const reading = new AsyncLocalStorage<string>();
  const held: (() => void)[] = [];
  let heldWorkspace: string | undefined;
  const pause = (client?: string) =>
    heldWorkspace !== undefined && reading.getStore() === heldWorkspace
      ? new Promise<void>((goOn) => held.push(goOn))
      : nodePlatform.pause(client);
  const core = makeCore({ platform: { ...nodePlatform, pause }, settings: { meter: 'count' } });
  const answer = createAnswer(core.service);

  return {
    ...core,
    /** Holds each read of a workspace from now on. */
    hold(workspace: string): void {
      heldWorkspace = workspace;
    },
    /** Releases all held reads, and holds no more. */
    release() {
      heldWorkspace = undefined;
      for (const goOn of held.splice(0)) goOn();
    },
    /** Returns the number of held reads once nothing else runs. */
    async countHeld(): Promise<number> {
      await letAllGoOn();
      return held.length;
    },
    /** Releases the reads that are held now. Later ones are held. */
    async step(): Promise<void> {
      for (const goOn of held.splice(0)) goOn();
      await letAllGoOn();
    },
    /** Sends a request as the client at an address. */
    async from(client: string, target: string, workspace: string, more: object = {}): Promise<Told> {
      const [path = '', query = ''] = target.split('?');
      const headers = { 'x-workspace': workspace, ...more };
      const call = { method: 'GET', path, query, headers, body: new Uint8Array(), client };
      const reply = await reading.run(workspace, () => answer(call));
      return {
        status: reply.status,
        headers: reply.headers,
        text: reply.body,
        body: JSON.parse(reply.body || 'null'),
      };
    },
  };
}
