import { html, render } from 'lit-html';
import { callApi } from './api-client.ts';
import { need, showVerdict } from './dom.ts';
import { isolate } from './isolate.ts';

interface Grade {
  passed: boolean;
  checks: { text: string; passed: boolean; wanted: string; found: string }[];
}

const form = need<HTMLFormElement>(document, '[data-grade]');
const verdict = need<HTMLElement>(form, '[data-verdict]');
const show = (checks: Grade['checks']) =>
  render(
    checks.map(
      ({ text, passed, wanted, found }) => html`<li>${passed ? 'Passed' : 'Failed'}: ${text}
        ${passed ? '' : html`<p class="note">Wanted ${isolate(wanted)}. Found ${isolate(found)}.</p>`}</li>`,
    ),
    need<HTMLElement>(form, '[data-checks]'),
  );

form.addEventListener('submit', async (event) => {
  event.preventDefault();
  const token = need<HTMLInputElement>(form, 'input').value.trim();
  show([]);
  showVerdict(verdict, undefined, 'Grading …');
  try {
    const { body } = await callApi('GET', '/grade', { headers: { 'X-Grader': token } });
    const { grade, reason, message } = body as { grade?: Grade; reason?: string; message?: string };
    if (!grade) return showVerdict(verdict, 'blocked', reason ?? message ?? 'This address grades nothing.');
    const passed = grade.checks.filter((check) => check.passed).length;
    const words = `${passed} of ${grade.checks.length} checks passed.`;
    showVerdict(verdict, grade.passed ? 'ok' : 'blocked', words);
    show(grade.checks);
  } catch {
    showVerdict(verdict, 'blocked', 'The service could not be reached. Try again.');
  }
});
