import { send, type WireReply } from './wire.ts';

const count = 24;
const atOnce = 16;
const onetCode = '15-1252.00';

interface Own {
  workspace: string;
  id: string;
  /** What stands in no answer but those to this workspace. */
  mark: string;
}

/** What two callers who asked for the same address at once were told. */
interface Interleaved {
  pairs: number;
  /** Answers that a cache gave from what it keeps, as far as it says so by Age. */
  kept: number;
  /** Each answer that held what is another's, or not what is the caller's own. */
  mixed: string[];
}

async function mint(origin: string, index: number): Promise<Own> {
  const mark = `Mark${String(index).padStart(3, '0')}x`;
  const body = JSON.stringify({ name: mark, onetCode, skills: ['Go'] });
  const { headers, bytes } = await send(origin, '/candidates', { method: 'POST', body });
  const { candidate } = JSON.parse(bytes.toString());
  return { workspace: String(headers['x-workspace']), id: candidate.id, mark };
}

/** What is wrong with an answer to who shows this workspace, or none. */
function toFault({ bytes, status }: WireReply, path: string, by: Own | undefined, of: Own) {
  const text = bytes.toString();
  const marks = new Set(text.match(/Mark\d{3}x/g) ?? []);
  const isOfRecord = path.endsWith(of.id);
  const isMine = by !== undefined && (!isOfRecord || by === of) && !path.includes('.json');
  const wanted = isMine ? [by.mark] : [];
  const statusWanted = isOfRecord && !isMine ? 404 : 200;
  if (status === statusWanted && [...marks].join() === wanted.join()) return undefined;
  return `${path} by ${by?.mark ?? 'nobody'}: ${status} with ${[...marks].join() || 'no mark'}`;
}

/**
 * Asks a cache for the same addresses at once from two workspaces, or from one and from nobody, so many times, and
 * counts the answers that are not the caller's.
 */
export async function interleave(origin: string, pairs: number): Promise<Interleaved> {
  const owners: Own[] = [];
  for (let index = 0; index < count; index += 1) owners.push(await mint(origin, index));
  const told: Interleaved = { pairs: 0, kept: 0, mixed: [] };

  async function ask(path: string, by: Own | undefined, of: Own): Promise<void> {
    const headers = by ? { 'X-Workspace': by.workspace } : {};
    const reply = await send(origin, path, { headers });
    if (Number(reply.headers.age ?? 0) > 0 || reply.headers['x-varnish']?.includes(' ')) told.kept += 1;
    const fault = toFault(reply, path, by, of);
    if (fault) told.mixed.push(fault);
  }

  const once = async (turn: number) => {
    const one = owners[turn % count]!;
    const other = turn % 3 === 0 ? undefined : owners[(turn * 7 + 1 + (turn % 5)) % count]!;
    const ends = ['', '?status=available', `/${one.id}`, '?limit=3', '.json'];
    const path = `/candidates${ends[turn % 5]}`;
    const both = [ask(path, one, one), ask(path, other, one)];
    await Promise.all(turn % 2 ? both : both.reverse());
    told.pairs += 1;
  };
  let next = 0;
  const worker = async () => {
    while (next < pairs) await once(next++);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return told;
}
