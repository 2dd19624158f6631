import { kinds } from '../../../src/kinds.ts';
import { operations } from '../../../src/table.ts';
import { send } from '../../../tests/support/wire.ts';
import type { Args } from './largest.ts';

/** Returns the header of a client with another address. */
export const from = (last: number): Record<string, string> => ({ 'X-Forwarded-For': `203.0.113.${last}` });
export const attacker = from(1);
export const bystander = from(2);

export const onetCode = '29-1141.03';
const skillCount = 50;
export const mostOfBatch = 200;
/** Copies of a record that refers to others, because a job order takes 50 open placements, and of any other. */
const copies = { referring: 50, other: 60 };

export const toSkills = (first: number) =>
  Array.from({ length: skillCount }, (_, at) => `skill ${first + at} of ward ${at}`);

/** Sends JSON, and returns the reply. Throws if it is refused. */
export async function post(origin: string, path: string, body: object, headers: object): Promise<Args> {
  const reply = await send(origin, path, { method: 'POST', body: JSON.stringify(body), headers });
  const text = reply.bytes.toString();
  if (reply.status >= 400) throw new Error(`${path} answered ${reply.status}: ${text.slice(0, 500)}`);
  return JSON.parse(text);
}

const refOf = (name: string, at: number) => `${name}-${at}`;

const findKind = (path: string) => kinds.find((one) => path.startsWith(`${one.path}/`));

/** Returns the id of the first record of the kind of a path, in a workspace that is made here. */
export async function findSampleId(
  origin: string,
  path: string,
  workspace: string,
): Promise<string | undefined> {
  const kind = findKind(path);
  if (!kind) return undefined;
  const target = `${kind.path}/%23${refOf(kind.name, 0)}`;
  const { bytes } = await send(origin, target, { headers: { ...attacker, 'X-Workspace': workspace } });
  return JSON.parse(bytes.toString())[kind.name].id;
}

/** Lists the records of the kind of a path in a workspace of `openDesk`. */
export function listDeskRefs(path: string): string[] {
  const { name = '' } = findKind(path) ?? {};
  return Array.from({ length: copies.other }, (_, at) => `#${refOf(name, at)}`);
}

const isReferring = (record: Args) => Object.values(record).some((value) => String(value).startsWith('#'));

/** Copies a record of the sample. Only its first reference is to another record in each copy. */
function copyRecord(record: Args, at: number): Args {
  let references = 0;
  const entries = Object.entries(record).map(([name, value]) => {
    if (name === 'ref') return [name, refOf(String(value), at)];
    if (typeof value !== 'string' || !value.startsWith('#')) return [name, value];
    references += 1;
    return [name, refOf(value, references === 1 ? at : 0)];
  });
  return Object.fromEntries(entries);
}

/** Creates a workspace with many copies of each record of the sample of a batch, and returns its id. */
export async function openDesk(origin: string): Promise<string> {
  const { sample } = operations.find(({ operationId }) => operationId === 'createBatch')!.contract;
  const lists = Object.entries(sample as Record<string, Args[]>).map(([collection, [record]]) => [
    collection,
    Array.from({ length: isReferring(record!) ? copies.referring : copies.other }, (_, at) =>
      copyRecord(record!, at),
    ),
  ]);
  return String((await post(origin, '/batch', Object.fromEntries(lists), attacker)).workspace);
}

/** Creates a workspace of `count` candidates with fifty skills each, and eight job orders. Returns its id. */
export async function fill(origin: string, count: number, client: object): Promise<string> {
  const order = {
    client: 'A',
    title: 'Nurse',
    onetCode,
    skills: toSkills(0).slice(0, 5),
    requires: ['ward 7'],
  };
  const jobOrders = Array.from({ length: 8 }, (_, at) => ({ ...order, ref: refOf('jobOrder', at) }));
  const { workspace } = await post(origin, '/batch', { jobOrders }, client);
  const headers = { ...client, 'X-Workspace': workspace };
  for (let made = 0; made < count; made += mostOfBatch) {
    const candidates = Array.from({ length: Math.min(mostOfBatch, count - made) }, (_, at) => ({
      ref: refOf('candidate', made + at),
      name: 'A',
      onetCode,
      skills: toSkills(made + at),
    }));
    await post(origin, '/batch', { candidates }, headers);
  }
  const ids = { candidateId: '#candidate-0', jobOrderId: '#jobOrder-0' };
  const placements = [{ ref: refOf('placement', 0), ...ids, onetCode, status: 'proposed' }];
  await post(origin, '/batch', { placements }, headers);
  return String(workspace);
}
