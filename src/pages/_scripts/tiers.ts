import { callApi } from './api-client.ts';

interface Alternative {
  id: string;
  live: boolean;
}

/** Disables the button of a tier that the service at this address does not offer. */
function disableTier({ id }: Alternative): void {
  const way = document.querySelector(`[data-tier="${id}"] a`);
  if (!way) return;
  way.removeAttribute('href');
  way.setAttribute('aria-disabled', 'true');
  way.textContent = 'Not offered here';
}

// The page may have been built for another address. Without an answer it keeps what it was built with.
const answer = await callApi('GET', '/icp.json').catch(() => undefined);
const ladder: Alternative[] = answer?.body.ladder ?? [];
for (const alternative of ladder) if (!alternative.live) disableTier(alternative);
