import { isContentNamed } from '../../kernel/headers.ts';

/** What the bundler writes into the worker about its build. Every path has a hash of the content. */
export interface WorkerBuild {
  /** Different for every build. */
  id: string;
  /** Path of the `WorkerFacts`. */
  facts: string;
  /** Path of the `FrozenDocuments`. */
  documents: string;
  /** Path of the summaries of all occupations. */
  summaries: string;
  /** Path of the data of the search (see `createSearch`). */
  searchFile: string;
  /** Bytes of that file. */
  searchBytes: number;
  /** Path of the tables of the matcher (see `createMatcher`). */
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

/** Returns the same response, and counts its bytes as they are read. */
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
 * Opens the files in the Cache API, one cache for each build. A page comes from the host and names its scripts and
 * styles by their content, so all of them are of one build, whichever cache they come from.
 */
export function openFiles({ id, facts, documents }: WorkerBuild) {
  const name = prefix + id;

  async function keep(path: string, response: Response): Promise<Response> {
    const cache = await caches.open(name);
    await cache.put(path, response.clone());
    return response;
  }

  /** Reads a file that never changes within this build, from the cache or from the host. Caches it. */
  async function read(path: string, onProgress: OnProgress = () => {}): Promise<Response> {
    const cache = await caches.open(name);
    return (await cache.match(path)) ?? keep(path, withProgress(await fetchOk(path), onProgress));
  }

  return {
    read,
    /** Fetches the facts, the documents and all assets of this build. If one is missing, rejects and caches nothing. */
    async install(): Promise<void> {
      const response = await fetchOk(facts, 'no-cache');
      const { assets } = (await response.clone().json()) as { assets: string[] };
      const requests = [documents, ...assets].map((path) => new Request(path, { cache: 'no-cache' }));
      await (await caches.open(name)).addAll(requests);
      await keep(facts, response);
    },
    async deleteOthers(): Promise<void> {
      const names = await caches.keys();
      const others = names.filter((cacheName) => cacheName.startsWith(prefix) && cacheName !== name);
      await Promise.all(others.map((cacheName) => caches.delete(cacheName)));
    },
    /** Reads a page from the host, or from the cache if the host cannot be reached. Returns undefined for a 404. */
    async readPage(path: string): Promise<Response | undefined> {
      if (isContentNamed(path)) return read(path).catch(() => undefined);
      try {
        const response = await fetch(path);
        if (response.ok) return keep(path, response);
        if (response.status < 500) return undefined;
      } catch {}
      const cache = await caches.open(name);
      const cached = await cache.match(path);
      if (!cached) throw new Error(`${path} cannot be reached`);
      return cached;
    },
  };
}
