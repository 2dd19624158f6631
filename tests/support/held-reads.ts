import { AsyncLocalStorage } from 'node:async_hooks';
import { nodePlatform } from '../../src/hosts/node-platform.ts';
import { createAnswer } from '../../src/kernel/answer.ts';
import { makeCore, type Told } from './core.ts';

/** Turns of the event loop in which all that can go on without a held read has gone on. */
const turns = 50;

const letAllGoOn = async () => {
  for (let turn = 0; turn < turns; turn += 1) await new Promise((resolve) => setImmediate(resolve));
};

/** A service in this process whose readings of a workspace can be held where they let others have their turn. */
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
    /** Holds each reading of a workspace from now on. */
    hold(workspace: string): void {
      heldWorkspace = workspace;
    },
    /** Lets all reads go on that are held, and holds no more. */
    release() {
      heldWorkspace = undefined;
      for (const goOn of held.splice(0)) goOn();
    },
    /** How many reads are held once nothing else goes on. */
    async countHeld(): Promise<number> {
      await letAllGoOn();
      return held.length;
    },
    /** Lets the reads go on that are held by now; those after them are held. */
    async step(): Promise<void> {
      for (const goOn of held.splice(0)) goOn();
      await letAllGoOn();
    },
    /** Asks as the client at an address. */
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
