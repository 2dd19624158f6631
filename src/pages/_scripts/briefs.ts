import { need, showVerdict } from './dom.ts';

interface Grade {
  passed: boolean;
  checks: { text: string; passed: boolean; wanted: string; found: string }[];
}

const form = need<HTMLFormElement>(document, '[data-grade]');
const verdict = need<HTMLElement>(form, '[data-verdict]');
const list = need<HTMLElement>(form, '[data-checks]');

function toItem({ text, passed, wanted, found }: Grade['checks'][number]): HTMLElement {
  const item = document.createElement('li');
  item.textContent = `${passed ? 'Passed' : 'Failed'}: ${text}`;
  if (!passed) {
    const why = document.createElement('p');
    why.className = 'note';
    why.textContent = `Wanted ${wanted}. Found ${found}.`;
    item.append(why);
  }
  return item;
}

form.addEventListener('submit', async (event) => {
  event.preventDefault();
  const token = need<HTMLInputElement>(form, 'input').value.trim();
  list.replaceChildren();
  showVerdict(verdict, undefined, 'Grading …');
  try {
    const reply = await (await fetch('/grade', { headers: { 'X-Grader': token } })).json();
    const { grade, reason, message } = reply as { grade?: Grade; reason?: string; message?: string };
    if (!grade) return showVerdict(verdict, 'blocked', reason ?? message ?? 'This address grades nothing.');
    const passed = grade.checks.filter((check) => check.passed).length;
    showVerdict(
      verdict,
      grade.passed ? 'ok' : 'blocked',
      `${passed} of ${grade.checks.length} checks passed.`,
    );
    list.replaceChildren(...grade.checks.map(toItem));
  } catch {
    showVerdict(verdict, 'blocked', 'The service could not be reached. Try again.');
  }
});
