import { type DeclarativeSuite, runSuite, type SuiteResult } from '../../documents/suite-runner.ts';
import { fetchLive } from './api-client.ts';
import { need } from './dom.ts';

function show(panel: HTMLElement, { row, status, problems }: SuiteResult): void {
  const place = panel.querySelector<HTMLElement>(`[data-row="${CSS.escape(row.id)}"]`);
  if (!place) return;
  const passed = problems.length === 0;
  place.dataset.went = passed ? 'green' : 'red';
  need(place, '[data-state]').textContent = `${passed ? 'passed' : 'failed'}${status ? `, ${status}` : ''}`;
  const problem = need<HTMLElement>(place, '[data-problem]');
  problem.textContent = problems.join('; ');
  problem.hidden = passed;
}

/** Shows how the checks went. Without a tone they have not ended. */
function showRun(verdict: HTMLElement, words: string, tone?: 'ok' | 'blocked'): void {
  verdict.className = `verdict mark-of-check ${tone ? `is-${tone}` : ''}`;
  need(verdict, '[data-said]').textContent = words;
}

async function run(panel: HTMLElement, verdict: HTMLElement): Promise<void> {
  const response = await fetchLive(panel.dataset.suite!);
  if (!response.ok) throw new Error(`${panel.dataset.suite} answered ${response.status}`);
  const suite = (await response.json()) as DeclarativeSuite;
  let passed = 0;
  let asked = 0;
  for await (const result of runSuite(suite, fetchLive)) {
    asked += 1;
    if (result.problems.length === 0) passed += 1;
    show(panel, result);
    showRun(verdict, `${asked} of ${suite.requirements.length} asked …`);
  }
  panel.dataset.went = passed === asked ? 'green' : 'red';
  if (passed === asked) showRun(verdict, `All ${asked} passed.`, 'ok');
  else showRun(verdict, `${asked - passed} of ${asked} failed.`, 'blocked');
}

const panel = document.querySelector<HTMLElement>('[data-suite]');
if (panel) {
  const button = need<HTMLButtonElement>(panel, '[data-run]');
  const verdict = need<HTMLElement>(panel, '[data-verdict]');
  button.addEventListener('click', async () => {
    button.disabled = true;
    try {
      await run(panel, verdict);
    } catch (error) {
      showRun(verdict, `Not run: ${(error as Error).message}`, 'blocked');
    } finally {
      button.disabled = false;
    }
  });
}
