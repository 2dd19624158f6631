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

/** Says of a way on what the service at this address says, where the page was built for another. */
function draw(alternative: Alternative): void {
  const item = document.querySelector(`[data-rung="${alternative.id}"]`);
  if (!item) return;
  const { live, statement } = alternative;
  item.classList.toggle('live', live);
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
  // What the page was built with stands.
}
