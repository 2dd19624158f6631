import { isContentNamed } from '../../kernel/headers.ts';
import type { WorkerBuild } from './build-facts.ts';

const prefix = 'careers-';

/** Is told how many bytes of a file have come. */
export type Tell = (loaded: number) => void;

/** The files of the host that a worker stands before. */
export interface Files {
  /** Fetches the shell of this build, whole or not at all. Rejects where a file of it is not there. */
  install(): Promise<void>;
  /** Forgets what other builds kept. */
  forgetOthers(): Promise<void>;
  /** A file that is the same for the life of this build: as it was kept, else fetched and kept. */
  read(path: string): Promise<Response>;
  /** The bytes of a large file of the build, as `read` answers it; `tell` is called while it comes. */
  readSlowly(path: string, tell: Tell): Promise<Uint8Array>;
  /** A page as the host has it now, or as it was kept where the host cannot be reached; undefined for a 404. */
  readPage(path: string): Promise<Response | undefined>;
}

async function* toChunks({ body }: Response) {
  const reader = body!.getReader();
  for (let read = await reader.read(); !read.done; read = await reader.read()) yield read.value;
}

/**
 * Files in the Cache API, one cache a build. A page comes from the host and names its scripts and styles by
 * their content, so it is of one build whole, whichever cache they come from.
 */
export function openFiles({ id, shell }: Pick<WorkerBuild, 'id' | 'shell'>): Files {
  const name = prefix + id;

  async function keep(path: string, response: Response): Promise<Response> {
    const cache = await caches.open(name);
    await cache.put(path, response.clone());
    return response;
  }

  async function fetchFile(path: string, cache: RequestCache = 'default'): Promise<Response> {
    const response = await fetch(path, { cache });
    if (!response.ok) throw new Error(`${path} answered ${response.status}`);
    return keep(path, response);
  }

  async function read(path: string): Promise<Response> {
    const cache = await caches.open(name);
    return (await cache.match(path)) ?? fetchFile(path);
  }

  return {
    read,
    async readSlowly(path, tell) {
      const cache = await caches.open(name);
      const kept = await cache.match(path);
      if (kept) return new Uint8Array(await kept.arrayBuffer());
      const response = await fetch(path);
      if (!response.ok) throw new Error(`${path} answered ${response.status}`);
      const keeping = cache.put(path, response.clone());
      const chunks: Uint8Array<ArrayBuffer>[] = [];
      let loaded = 0;
      for await (const chunk of toChunks(response)) {
        chunks.push(chunk);
        loaded += chunk.length;
        tell(loaded);
      }
      await keeping;
      return new Uint8Array(await new Blob(chunks).arrayBuffer());
    },
    async install() {
      // All have to be settled: a file that comes late would make the cache again.
      const fetched = await Promise.allSettled(shell.map((path) => fetchFile(path, 'no-cache')));
      const failed = fetched.find(({ status }) => status === 'rejected');
      if (!failed) return;
      await caches.delete(name);
      throw (failed as PromiseRejectedResult).reason;
    },
    async forgetOthers() {
      const names = await caches.keys();
      const others = names.filter((other) => other.startsWith(prefix) && other !== name);
      await Promise.all(others.map((other) => caches.delete(other)));
    },
    async readPage(path) {
      if (isContentNamed(path)) return read(path).catch(() => undefined);
      try {
        const response = await fetch(path);
        if (response.ok) return keep(path, response);
        if (response.status < 500) return undefined;
      } catch {}
      const cache = await caches.open(name);
      const kept = await cache.match(path);
      if (!kept) throw new Error(`${path} cannot be reached`);
      return kept;
    },
  };
}
