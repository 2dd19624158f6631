import { need } from './dom.ts';
import { describeRung, formatRungCall } from './rung-words.ts';

interface Alternative {
  id: string;
  kind: string;
  live: boolean;
  statement: string;
  method?: string;
  url?: string;
}

/** Shows an alternative as the service at this address offers it. The page may have been built for another. */
function draw(alternative: Alternative): void {
  const item = document.querySelector(`[data-rung="${alternative.id}"]`);
  if (!item) return;
  const { live, statement } = alternative;
  const chip = need(item, '.chip');
  chip.classList.toggle('is-ok', live);
  chip.textContent = describeRung(alternative);
  need(item, '[data-statement]').textContent = statement;
  need(item, '[data-way]').textContent = formatRungCall(alternative);
}

try {
  const response = await fetch('/icp.json');
  const { ladder } = (await response.json()) as { ladder: Alternative[] };
  for (const alternative of ladder) draw(alternative);
} catch {
  // The page keeps what it was built with.
}
