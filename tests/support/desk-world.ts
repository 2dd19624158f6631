import { dayAt, noon, today } from './days.ts';
import type { Body } from './http.ts';
import { codesOf } from './small-desk.ts';
import { World } from './world.ts';

const onetCode = '15-1252.00';

/** The answer to a call. */
interface Said {
  isRefused: boolean;
  body: Body;
}

/** Makes a workspace with candidates `a`, `b` and job orders `o`, `p`, with a fake clock. */
async function openWorld(more: { a?: object; o?: object } = {}) {
  const core = new World({ now: noon, settings: { retentionSeconds: 4000 * 86_400 } });
  const made = await core.ask('POST', '/batch', {
    candidates: [
      { ref: 'a', name: 'Ann Sample', onetCode, ...more.a },
      { ref: 'b', name: 'Bo Sample', onetCode },
    ],
    jobOrders: [
      { ref: 'o', client: 'Example Works', title: 'Developer', onetCode, ...more.o },
      { ref: 'p', client: 'Example Press', title: 'Developer', onetCode },
    ],
  });
  const { workspace } = made.body;
  const mine = { 'x-workspace': workspace };
  const ask = (method: string, path: string, body?: object, headers: object = {}) =>
    core.ask(method, path, body, { ...mine, ...headers });

  /** Calls an operation, strictly if the arguments say so. */
  async function call(method: string, path: string, args: object): Promise<Said> {
    const { strict, ...sent } = args as { strict?: boolean };
    const { status, body } = await ask(method, path, sent, strict ? { prefer: 'handling=strict' } : {});
    return { isRefused: status >= 400, body };
  }

  const place = (more: object = {}) =>
    call('POST', '/placements', {
      candidateId: '#a',
      jobOrderId: '#o',
      onetCode,
      ...more,
    });

  return {
    ...core,
    core,
    workspace: workspace as string,
    ask,
    call,
    place,
    /** Moves the clock to noon this many days after the first day. */
    to(days: number) {
      core.clock.now = noon + days * 86_400_000;
    },
    change: (ref: string, body: object) => call('PATCH', `/placements/%23${ref}`, body),
    state: (ref: string, body: object) => call('POST', `/placements/%23${ref}/outcome`, body),
    read: async (path: string): Promise<Body> => {
      const { body } = await ask('GET', path);
      return body.candidate ?? body.jobOrder ?? body.placement;
    },
    person: async (ref = 'a'): Promise<Body> => (await ask('GET', `/candidates/%23${ref}`)).body.candidate,
    order: async (ref = 'o'): Promise<Body> => (await ask('GET', `/job-orders/%23${ref}`)).body.jobOrder,
    placement: async (ref: string): Promise<Body> =>
      (await ask('GET', `/placements/%23${ref}`)).body.placement,
    matches: async (ref = 'o'): Promise<Body[]> =>
      (await ask('GET', `/job-orders/%23${ref}/matches?scope=workspace`)).body.matches ?? [],
  };
}

export { codesOf, dayAt, onetCode, openWorld, today };
