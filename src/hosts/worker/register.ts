/** What a page asks of its worker: to answer it too, and to replace the worker before it. */
export const messages = { claim: 'claim', takeOver: 'take-over' } as const;

/** What a worker reports to its pages while it downloads the data of the search. */
export interface SearchProgress {
  /** The part that has arrived, from 0 to 1. */
  search: number;
}

/** A request with this header goes past the worker to the host behind it. */
export const passHeader = 'X-Worker';

const workerPath = '/worker.js';

/** What answers the requests of this page: a live service, the service in this browser only, or files alone. */
type ServiceKind = 'live' | 'browser' | 'none';

const patienceMs = 10_000;
const againMs = 1000;
let asked: Promise<ServiceKind> | undefined;

/**
 * The kind of host at this address, past any worker. A live service answers a query with the one row that it
 * asks for; a static host with all rows, or with 404 where it knows that it cannot answer a query. Undefined
 * where no such answer came: a service may be down for a moment.
 */
async function readHost(): Promise<'live' | 'static' | undefined> {
  try {
    const response = await fetch('/placements.json?limit=1', {
      headers: { [passHeader]: 'pass' },
      cache: 'no-store',
    });
    if (response.status === 404) return 'static';
    if (!response.ok) return undefined;
    const { placements } = (await response.json()) as { placements: unknown[] };
    return placements.length === 1 ? 'live' : 'static';
  } catch {
    return undefined;
  }
}

/** Removes a worker of ours that a static host left at this origin, and reloads a page that it answers. */
async function removeWorker({ serviceWorker }: Navigator): Promise<void> {
  for (const registration of await serviceWorker.getRegistrations()) {
    const worker = registration.active ?? registration.waiting ?? registration.installing;
    if (worker && new URL(worker.scriptURL).pathname === workerPath) await registration.unregister();
  }
  if (serviceWorker.controller) location.reload();
}

/**
 * Lets a newer worker take over while nobody has touched the page, and then reloads it. A worker that still sees another
 * page, such as the one that this page replaced, is asked again.
 */
function followUpdates(registration: ServiceWorkerRegistration, { serviceWorker }: Navigator): void {
  let isTouched = false;
  let isOffered = false;
  for (const touch of ['pointerdown', 'keydown', 'input']) {
    addEventListener(touch, () => (isTouched = true), { capture: true, once: true });
  }
  const reload = () => isOffered && location.reload();
  serviceWorker.addEventListener('controllerchange', reload, { once: true });
  const offer = (worker: ServiceWorker | null, tries = 10) => {
    if (worker?.state !== 'installed' || isTouched || tries === 0) return;
    isOffered = true;
    worker.postMessage(messages.takeOver);
    setTimeout(offer, againMs, worker, tries - 1);
  };
  const follow = ({ installing } = registration) =>
    installing?.addEventListener('statechange', () => offer(installing));
  offer(registration.waiting);
  // An update that a navigation began may be found already.
  follow();
  registration.addEventListener('updatefound', () => follow());
}

/** Whether a worker answers this page, after at most ten seconds. */
async function waitForControl(
  registration: ServiceWorkerRegistration,
  { serviceWorker }: Navigator,
): Promise<boolean> {
  if (serviceWorker.controller) return true;
  const late = new Promise<void>((resolve) => setTimeout(resolve, patienceMs));
  const controlled = new Promise<void>((resolve) => {
    serviceWorker.addEventListener('controllerchange', () => resolve(), { once: true });
  });
  // A page that was loaded past the worker, as by a forced reload, has to be claimed.
  registration.active?.postMessage(messages.claim);
  await Promise.race([controlled, late]);
  return serviceWorker.controller !== null;
}

async function decide(): Promise<ServiceKind> {
  const host = await readHost();
  const canRegister = 'serviceWorker' in navigator;
  if (host === 'live') {
    if (canRegister) await removeWorker(navigator).catch(() => {});
    return 'live';
  }
  if (!canRegister) return 'none';
  if (host === undefined) return navigator.serviceWorker.controller ? 'browser' : 'none';
  try {
    const hadControl = navigator.serviceWorker.controller !== null;
    const registration = await navigator.serviceWorker.register(workerPath);
    if (hadControl) {
      followUpdates(registration, navigator);
      // A browser delays its own check for an update for as long as requests go on.
      registration.update().catch(() => {});
    }
    return (await waitForControl(registration, navigator)) ? 'browser' : 'none';
  } catch {
    return navigator.serviceWorker.controller ? 'browser' : 'none';
  }
}

/**
 * Registers the worker where no live service answers, and removes it where one does. Reports the kind as `data-service`
 * of the root element, and as the detail of the event `service` on the document. Runs once a page, however often it is
 * called; never rejects.
 */
export function registerWorker(): Promise<ServiceKind> {
  asked ??= decide().then((kind) => {
    document.documentElement.dataset.service = kind;
    document.dispatchEvent(new CustomEvent<ServiceKind>('service', { detail: kind }));
    return kind;
  });
  return asked;
}
