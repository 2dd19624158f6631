import { calculateCost, fromMillionths, type Rate, sumCosts } from '../../kernel/cost.ts';
import { readRates } from '../../pricing/meter.ts';
import { need } from './dom.ts';
import { formatDollars } from './format.ts';

const form = need<HTMLFormElement>(document, '[data-calculator]');

function draw(rates: ReadonlyMap<string, Rate>, hardCeiling: number): void {
  const calls: Record<string, number> = {};
  for (const [operation, rate] of rates) {
    const input = form.elements.namedItem(operation);
    if (!(input instanceof HTMLInputElement)) continue;
    const count = Math.max(0, Math.floor(Number(input.value)) || 0);
    calls[operation] = count;
    need(form, `[data-cost="${operation}"]`).textContent = formatDollars(
      fromMillionths(calculateCost(rate, count)),
    );
  }
  const total = fromMillionths(sumCosts(rates, calls));
  need(form, '[data-sum]').textContent = formatDollars(total);
  const share = Math.min(1, total / hardCeiling);
  need(form, '[data-share] .filled').setAttribute('width', (share * 100).toFixed(1));
  need(form, '[data-verdict]').textContent =
    total > hardCeiling
      ? 'Above the ceiling: nothing is counted past it unless you allow it.'
      : 'Below the ceiling.';
}

try {
  const response = await fetch('/pricing.json');
  const pricing = (await response.json()) as Parameters<typeof readRates>[0] & { hardCeiling: number };
  const { rates } = readRates(pricing);
  form.addEventListener('input', () => draw(rates, pricing.hardCeiling));
  form.addEventListener('submit', (event) => event.preventDefault());
  draw(rates, pricing.hardCeiling);
} catch {
  need(form, '[data-verdict]').textContent =
    'The rate card at /pricing.json could not be read; nothing is worked out.';
}
