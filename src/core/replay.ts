import type { Call, Reply } from './call.ts';

/** A plain anonymous GET of a path. */
const toGet = (path: string): Call => ({
  method: 'GET',
  path,
  query: '',
  headers: {},
  body: new Uint8Array(),
});

/** The live answer at an address. Throws unless it is 200: a frozen refusal would be a fake success. */
export async function replay(answer: (call: Call) => Reply | Promise<Reply>, path: string): Promise<Reply> {
  const reply = await answer(toGet(path));
  if (reply.status === 200) return reply;
  throw new Error(`${path} answered ${reply.status}, so it cannot be frozen: ${reply.body}`);
}
