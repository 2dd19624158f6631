import { type CountedRate, type RateLike, toCost, toCountedRates, toMonth } from './cost.ts';
import { need } from './dom.ts';
import { toDollars } from './numbers.ts';

const form = need<HTMLFormElement>(document, '[data-calculator]');

function draw(rates: readonly CountedRate[], hardCeiling: number): void {
  const costs = rates.flatMap((rate) => {
    const input = form.elements.namedItem(rate.operation);
    if (!(input instanceof HTMLInputElement)) return [];
    const cost = toCost(rate, Math.max(0, Math.floor(Number(input.value)) || 0));
    need(form, `[data-cost="${rate.operation}"]`).textContent = toDollars(cost);
    return [cost];
  });
  const { sum, share, over } = toMonth(costs, hardCeiling);
  need(form, '[data-sum]').textContent = toDollars(sum);
  need(form, '[data-share] .filled').setAttribute('width', (share * 100).toFixed(1));
  need(form, '[data-verdict]').textContent = over
    ? 'Above the ceiling: nothing is metered past it without your authorising it again.'
    : 'Below the ceiling.';
}

try {
  const response = await fetch('/pricing.json');
  const { rates = [], hardCeiling } = (await response.json()) as { rates?: RateLike[]; hardCeiling: number };
  const counted = toCountedRates(rates);
  form.addEventListener('input', () => draw(counted, hardCeiling));
  form.addEventListener('submit', (event) => event.preventDefault());
  draw(counted, hardCeiling);
} catch {
  need(form, '[data-verdict]').textContent =
    'The rate card at /pricing.json could not be read; nothing is worked out.';
}
