import { isContentNamed } from '../../kernel/headers.ts';

/** What the bundler writes into the worker about the build that it is part of. Every name holds a hash of its content. */
export interface WorkerBuild {
  /** Sets this build apart from every other one. */
  id: string;
  /** Path of the `WorkerFacts`. */
  facts: string;
  /** Path of the `FrozenDocuments`. */
  documents: string;
  /** Path of what `createSearch` takes. */
  searchFile: string;
  /** Its bytes. */
  searchBytes: number;
  /** Path of what `createMatcher` takes. */
  matchTables: string;
}

const prefix = 'careers-';

/** Called with the number of bytes of a file that have arrived. */
export type OnProgress = (loaded: number) => void;

export type Files = ReturnType<typeof openFiles>;

async function fetchOk(path: string, cache: RequestCache = 'default'): Promise<Response> {
  const response = await fetch(path, { cache });
  if (!response.ok) throw new Error(`${path} answered ${response.status}`);
  return response;
}

/** The same response; its bytes are counted as they are read. */
function withProgress(response: Response, onProgress: OnProgress): Response {
  let loaded = 0;
  const counting = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform(chunk, to) {
      loaded += chunk.length;
      onProgress(loaded);
      to.enqueue(chunk);
    },
  });
  return new Response(response.body!.pipeThrough(counting), response);
}

/**
 * Files in the Cache API, one cache a build. A page comes from the host and names its scripts and styles by
 * their content, so it is of one build whole, whichever cache they come from.
 */
export function openFiles({ id, facts, documents }: WorkerBuild) {
  const name = prefix + id;

  async function keep(path: string, response: Response): Promise<Response> {
    const cache = await caches.open(name);
    await cache.put(path, response.clone());
    return response;
  }

  /** A file that never changes within this build: from the cache, else fetched and kept there. */
  async function read(path: string, onProgress: OnProgress = () => {}): Promise<Response> {
    const cache = await caches.open(name);
    return (await cache.match(path)) ?? keep(path, withProgress(await fetchOk(path), onProgress));
  }

  return {
    read,
    /** Fetches the facts, the documents and all assets of this build. Keeps no file and rejects where one is missing. */
    async install(): Promise<void> {
      const found = await fetchOk(facts, 'no-cache');
      const { assets } = (await found.clone().json()) as { assets: string[] };
      const requests = [documents, ...assets].map((path) => new Request(path, { cache: 'no-cache' }));
      await (await caches.open(name)).addAll(requests);
      await keep(facts, found);
    },
    /** Deletes the caches of other builds. */
    async deleteOthers(): Promise<void> {
      const names = await caches.keys();
      const others = names.filter((other) => other.startsWith(prefix) && other !== name);
      await Promise.all(others.map((other) => caches.delete(other)));
    },
    /** A page as the host has it now, or from the cache where the host cannot be reached; undefined for a 404. */
    async readPage(path: string): Promise<Response | undefined> {
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
