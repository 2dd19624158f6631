import { createRefusalReply } from '../../kernel/create-reply.ts';
import { toRefusal } from '../../kernel/refusal.ts';
import { IndexedDbStore } from '../../stores/indexeddb.ts';
import { toResponse } from '../web-call.ts';
import { createAnswerRequest } from './answer-request.ts';
import { openFiles, type WorkerBuild } from './files.ts';
import { type ChangeNotice, messages, passHeader, type SearchProgress } from './register.ts';
import { loadService } from './service.ts';

/** The part of ServiceWorkerGlobalScope that is used here. TypeScript knows it or the DOM, not both. */
interface WorkerScope {
  location: Location;
  registration: ServiceWorkerRegistration;
  clients: {
    claim(): Promise<void>;
    matchAll(
      options: object,
    ): Promise<readonly { postMessage(message: SearchProgress | ChangeNotice): void }[]>;
  };
  skipWaiting(): Promise<void>;
  addEventListener(
    type: 'install' | 'activate' | 'message' | 'fetch',
    listener: (event: WorkerEvent) => void,
  ): void;
}

interface WorkerEvent {
  waitUntil(promise: Promise<unknown>): void;
  /** Only of a message. */
  data: unknown;
  /** Only of a fetch. */
  request: Request;
  respondWith(response: Promise<Response>): void;
}

/** The bundler writes this in. */
declare const workerBuild: WorkerBuild;

const scope = self as unknown as WorkerScope;
const files = openFiles(workerBuild);
const store = new IndexedDbStore('careers');
let answering: Promise<(request: Request) => Promise<Response>> | undefined;

const listPages = () => scope.clients.matchAll({ includeUncontrolled: true, type: 'window' });

/** Reports to every page how much of the data of the search has arrived. */
async function postProgress(loaded: number): Promise<void> {
  const search = Math.min(1, loaded / workerBuild.searchBytes);
  for (const page of await listPages()) page.postMessage({ search });
}

/** A page that does not get the report only shows no progress, so nothing waits for it. */
const onProgress = (loaded: number): void => {
  postProgress(loaded).catch((error) => console.warn(error));
};

/** Tells every page that a workspace may have changed, because a page cannot wait for a change here. */
async function postChange(): Promise<void> {
  for (const page of await listPages()) page.postMessage({ changed: true });
}

const isReading = ({ method }: Request) => method === 'GET' || method === 'HEAD';

/** Loads the service once. After a failure the next request tries again. */
function loadAnswer() {
  answering ??= loadService(workerBuild, { files, store, baseUrl: scope.location.origin, onProgress })
    .then((service) => createAnswerRequest(service, files))
    .catch((error) => {
      answering = undefined;
      throw error;
    });
  return answering;
}

async function respond(request: Request): Promise<Response> {
  try {
    const answer = await loadAnswer();
    const response = await answer(request);
    if (response.ok && !isReading(request)) postChange().catch((error) => console.warn(error));
    return response;
  } catch (error) {
    console.warn(error);
    // The host may have a newer build, without the files of this one.
    scope.registration.update().catch(() => {});
    return request.mode === 'navigate' ? fetch(request) : toResponse(createRefusalReply(toRefusal(error)));
  }
}

/** Replaces the previous worker, unless that still serves another page. */
async function takeOver(): Promise<void> {
  if ((await listPages()).length <= 1) await scope.skipWaiting();
}

scope.addEventListener('install', (event) => event.waitUntil(files.install()));

scope.addEventListener('activate', (event) => {
  const swept = store.sweep(Date.now()).catch(() => {});
  event.waitUntil(Promise.all([files.deleteOthers(), swept, scope.clients.claim()]));
});

scope.addEventListener('message', (event) => {
  if (event.data === messages.takeOver) event.waitUntil(takeOver());
  if (event.data === messages.claim) event.waitUntil(scope.clients.claim());
});

scope.addEventListener('fetch', (event) => {
  const { request } = event;
  const isOurs = new URL(request.url).origin === scope.location.origin;
  if (isOurs && !request.headers.has(passHeader)) event.respondWith(respond(request));
});
