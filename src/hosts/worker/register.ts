/** Messages of a page to its worker: answer this page too, and replace the previous worker. */
export const messages = { claim: 'claim', takeOver: 'take-over' } as const;

/** What a worker reports to its pages while it downloads the data of the search. */
export interface SearchProgress {
  /** The share that has arrived, 0 to 1. */
  search: number;
}

/** What a worker reports to its pages after a request that may have changed a workspace. */
export interface ChangeNotice {
  changed: true;
}

/** A request with this header bypasses the worker and goes to the host. */
export const passHeader = 'X-Worker';

const workerPath = '/worker.js';

/**
 * What answers the requests of this page: a live service, the service in this browser, or only files. `away` if nothing
 * answers just now.
 */
type ServiceKind = 'live' | 'browser' | 'none' | 'away';

const patienceMs = 10_000;
const againMs = 1000;
let decision: Promise<ServiceKind> | undefined;

/**
 * Finds the kind of host at this address, without the worker. A live service answers this query with one row. A static
 * host answers with all rows, or with 404 if it does not take queries. Returns undefined if no answer came, because a
 * service may be down for a moment.
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

/** Removes the worker that a static host left at this origin, and reloads a page that the worker answers. */
async function removeWorker({ serviceWorker }: Navigator): Promise<void> {
  for (const registration of await serviceWorker.getRegistrations()) {
    const worker = registration.active ?? registration.waiting ?? registration.installing;
    if (worker && new URL(worker.scriptURL).pathname === workerPath) await registration.unregister();
  }
  if (serviceWorker.controller) location.reload();
}

/**
 * Lets a newer worker take over and reloads the page, unless the person has touched the page. If the old worker still
 * serves another page, the new one is asked again later.
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
  // An update may have begun with the navigation.
  follow();
  registration.addEventListener('updatefound', () => follow());
}

/** Waits until a worker answers this page, at most ten seconds. Returns whether one does. */
async function waitForControl(
  registration: ServiceWorkerRegistration,
  { serviceWorker }: Navigator,
): Promise<boolean> {
  if (serviceWorker.controller) return true;
  const late = new Promise<void>((resolve) => setTimeout(resolve, patienceMs));
  const controlled = new Promise<void>((resolve) => {
    serviceWorker.addEventListener('controllerchange', () => resolve(), { once: true });
  });
  // A page that was loaded without the worker, as by a forced reload, must be claimed.
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
  if (host === undefined) return canRegister && navigator.serviceWorker.controller ? 'browser' : 'away';
  if (!canRegister) return 'none';
  try {
    const hadControl = navigator.serviceWorker.controller !== null;
    const registration = await navigator.serviceWorker.register(workerPath);
    if (hadControl) {
      followUpdates(registration, navigator);
      // A browser delays its own check for an update while requests go on.
      registration.update().catch(() => {});
    }
    return (await waitForControl(registration, navigator)) ? 'browser' : 'none';
  } catch {
    return navigator.serviceWorker.controller ? 'browser' : 'none';
  }
}

const decideAgain = () => void registerWorker();

/**
 * Registers the worker if no live service answers, and removes it if one does. Reports the kind as `data-service` of
 * the root element, and as the detail of the event `service` on the document. Runs once for each page, however often it
 * is called; while nothing answers, it runs again when it is called, and when the network is back. Never rejects.
 */
export function registerWorker(): Promise<ServiceKind> {
  decision ??= decide().then((kind) => {
    if (kind === 'away') {
      decision = undefined;
      addEventListener('online', decideAgain, { once: true });
    }
    document.documentElement.dataset.service = kind;
    document.dispatchEvent(new CustomEvent<ServiceKind>('service', { detail: kind }));
    return kind;
  });
  return decision;
}
