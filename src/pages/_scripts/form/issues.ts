import { ApiError } from '../api-client.ts';
import type { DrawnField } from './draw-field.ts';

/** What the service says of a member of a body. */
interface Issue {
  path: string;
  message: string;
}

/** Lists the issues of a refusal. */
export const listIssues = (error: unknown): readonly Issue[] =>
  (error instanceof ApiError && error.body?.issues) || [];

/** Shows the issues of each field at it, those of its entries too, and removes the issues before these. */
function showAtFields(fields: readonly DrawnField[], issues: readonly Issue[]): void {
  for (const { field, showFault } of fields) {
    const own = issues.filter(({ path }) => path === field.name || path.startsWith(`${field.name}[`));
    showFault(own.map(({ message }) => `This ${message}.`).join(' '));
  }
}

/** Shows why a form was refused: below its fields, and at each field that it concerns. The first has the focus. */
export function showRefusedForm(form: HTMLFormElement, fields: readonly DrawnField[], error: Error): void {
  showAtFields(fields, listIssues(error));
  const problem = form.querySelector<HTMLElement>('[role=alert]')!;
  problem.hidden = false;
  problem.textContent = error.message;
  form.querySelector<HTMLElement>('[aria-invalid=true]')?.focus();
}
