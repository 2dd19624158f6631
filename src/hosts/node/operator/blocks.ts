import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isLoopback, parseAddress } from '../../../kernel/caller.ts';
import { listClientKeys } from '../../../kernel/client-keys.ts';
import { Refusal } from '../../../kernel/refusal.ts';
import type { NodeSettings } from '../settings.ts';
import { operatorRefusals } from './refusals.ts';

/** A client that is refused everything: an IPv4 address, or the /64 of an IPv6 address. */
interface Block {
  address: string;
  since: string;
  /** Why, in the operator's words. */
  reason?: string;
}

const mostBlocks = 1000;
const longestReason = 200;

/** The key of a client, or of a /64 as `list` shows it. */
const findKey = (client: string): string => listClientKeys(client)[0]!.key;

function readFile(file: string | undefined): Block[] {
  if (file === undefined) return [];
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw new Error(`${file} has no list of blocks: repair it, or move it away.`);
  }
}

/** Returns the address that a text names. Accepts a /64 as `list` shows it. Throws a Refusal. */
function readAddress(text: unknown): string {
  const address = typeof text === 'string' ? parseAddress(text.trim().replace(/\/64$/, '')) : undefined;
  if (address === undefined) throw new Refusal(operatorRefusals.not_an_address);
  if (isLoopback(address)) throw new Refusal(operatorRefusals.own_machine);
  return address;
}

/** The blocked addresses. They are kept in `file`, if there is one, and otherwise until the process ends. */
export class Blocks {
  readonly #file: string | undefined;
  readonly #blocks: Map<string, Block>;

  constructor(file: string | undefined) {
    this.#file = file;
    this.#blocks = new Map(readFile(file).map((block) => [block.address, block]));
  }

  has(client: string): boolean {
    return this.#blocks.size > 0 && this.#blocks.has(findKey(client));
  }

  list(): Block[] {
    return [...this.#blocks.values()];
  }

  /** Blocks an address. Throws a Refusal if it is none, or one of this machine. */
  add(text: unknown, reason: unknown, now: number): Block {
    const address = findKey(readAddress(text));
    if (this.#blocks.size >= mostBlocks && !this.#blocks.has(address))
      throw new Refusal(operatorRefusals.too_many_blocks);
    const words = typeof reason === 'string' ? reason.trim().slice(0, longestReason) : '';
    const block = { address, since: new Date(now).toISOString(), ...(words && { reason: words }) };
    this.#blocks.set(address, block);
    this.#save();
    return block;
  }

  /** Unblocks an address. Returns false if it was not blocked. */
  remove(text: string): boolean {
    const isKnown = this.#blocks.delete(findKey(readAddress(text)));
    if (isKnown) this.#save();
    return isKnown;
  }

  #save(): void {
    if (this.#file === undefined) return;
    const draft = `${this.#file}.new`;
    writeFileSync(draft, JSON.stringify(this.list()), { mode: 0o600 });
    renameSync(draft, this.#file);
  }
}

/** Opens the blocks of a host. With a store on a server they are kept in memory alone. */
export const openBlocks = ({ STORE_URL, DATA_DIR }: Pick<NodeSettings, 'STORE_URL' | 'DATA_DIR'>): Blocks =>
  new Blocks(STORE_URL ? undefined : join(DATA_DIR, 'blocks.json'));
