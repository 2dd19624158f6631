import { nodePlatform } from '../../src/hosts/node-platform.ts';
import { createAnswer } from '../../src/kernel/answer.ts';
import { makeCore, type Told } from './core.ts';

/** Turns of the event loop in which all that can go on without a held read has gone on. */
const turns = 50;

const letAllGoOn = async () => {
  for (let turn = 0; turn < turns; turn += 1) await new Promise((resolve) => setImmediate(resolve));
};

/** A service in this process whose reads of records can be held, as if the store took long. */
export function makeHeldCore() {
  const core = makeCore({ platform: nodePlatform, settings: { meter: 'count' } });
  const { store, service } = core;
  const answer = createAnswer(service);
  const { read } = store;
  const held: (() => void)[] = [];
  let heldKey: string | undefined;
  store.read = async (key, slice) => {
    if (key === heldKey) await new Promise<void>((goOn) => held.push(goOn));
    return read(key, slice);
  };

  return {
    ...core,
    /** Holds each read of the records of a workspace from now on. */
    async hold(workspace: string): Promise<void> {
      heldKey = (await service.openWorkspace(workspace)).key;
    },
    /** Lets all reads go on that are held, and holds no more. */
    release() {
      heldKey = undefined;
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
      const reply = await answer({ method: 'GET', path, query, headers, body: new Uint8Array(), client });
      return {
        status: reply.status,
        headers: reply.headers,
        text: reply.body,
        body: JSON.parse(reply.body || 'null'),
      };
    },
  };
}
