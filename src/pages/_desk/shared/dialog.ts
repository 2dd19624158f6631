import { html, render, type TemplateResult } from 'lit-html';
import { ApiError } from '../../_scripts/api-client.ts';
import { copyButton } from '../../_scripts/dom.ts';
import { drawField } from '../../_scripts/form/form.ts';
import type { FormField } from '../../_scripts/form/form-field.ts';
import { hasFailed, type PartState } from '../state/state.ts';

let timer: ReturnType<typeof setTimeout> | undefined;

/** Shows the result of an action. A refusal stays until the next result. */
export function toast(words: string, tone: 'ok' | 'blocked' = 'ok'): void {
  const place = document.querySelector<HTMLElement>('.toast')!;
  clearTimeout(timer);
  place.className = `toast is-${tone}`;
  place.textContent = words;
  if (tone === 'ok') timer = setTimeout(() => (place.textContent = ''), 6000);
}

/** Runs the action of a button, and shows a failure as a toast. */
export async function attempt(run: () => Promise<unknown>, explain = (error: Error) => error.message) {
  try {
    await run();
  } catch (error) {
    toast(explain(error as Error), 'blocked');
  }
}

/**
 * Asks the person something in a dialog. The content closes it with an answer. Resolves with the answer, or with
 * undefined if the person cancels. `leave`, if given, replaces what Escape does.
 */
export function askPerson<T>(
  title: unknown,
  content: (answer: (value?: T) => void) => unknown,
  leave?: () => unknown,
): Promise<T | undefined> {
  return new Promise((resolve) => {
    const dialog = document.createElement('dialog');
    let given: T | undefined;
    const answer = (value?: T) => {
      given = value;
      dialog.close();
    };
    render(html`<h2>${title}</h2>${content(answer)}`, dialog);
    dialog.setAttribute('aria-label', dialog.querySelector('h2')!.textContent);
    dialog.addEventListener('cancel', (event) => {
      if (!leave) return;
      event.preventDefault();
      leave();
    });
    dialog.addEventListener('close', () => {
      dialog.remove();
      resolve(given);
    });
    document.body.append(dialog);
    dialog.showModal();
  });
}

/** A button. `tone` is a second CSS class. */
export const button = (words: unknown, run: (event: Event) => unknown, tone = 'quiet'): TemplateResult =>
  html`<button type="button" class=${`button ${tone}`} @click=${run}>${words}</button>`;

/** Shows a loaded part of the page, or why it could not be loaded, with a button to try again. The page retries too. */
export function viewLoaded<T>(
  loaded: PartState<T>,
  retry: () => unknown,
  view: (read: T) => unknown,
): unknown {
  if (loaded === undefined) return '';
  if (!hasFailed(loaded)) return view(loaded);
  const again = async ({ currentTarget }: Event) => {
    const part = (currentTarget as Element).closest('section');
    await retry();
    part?.querySelector<HTMLElement>('h2, h3')?.focus();
  };
  return html`<p class="verdict is-blocked" role="alert">${loaded.failed}</p>
    ${loaded.isGone ? '' : html`<p class="actions">${button('Retry', again)}</p>`}`;
}

/** Asks the person to confirm an action. */
export const askSure = (title: string, words: string, yes: string, tone = 'stop') =>
  askPerson<true>(
    title,
    (answer) => html`<p>${words}</p>
      <p class="actions">${button(yes, () => answer(true), tone)}${button('Cancel', () => answer())}</p>`,
  );

/** A button that copies a text. If the browser refuses that, it selects the text in the field before it. */
export const viewCopy = (words: string, text: string): HTMLButtonElement =>
  copyButton(
    words,
    'button quiet',
    () => text,
    (pressed) => pressed.closest('dialog')!.querySelector<HTMLInputElement>('[readonly]')?.select(),
  );

export type FormValues = Record<string, unknown>;

interface FormParts {
  fields: readonly FormField[];
  /** The initial values of the fields. */
  values?: FormValues;
  /** A note above the fields. */
  note?: unknown;
  submit: string;
  /** Sends the values. An empty member is undefined. If it throws an ApiError, the form shows it and stays open. */
  run(values: FormValues): Promise<void>;
  hints?: Record<string, string>;
  choiceWords?: Record<string, string>;
}

/** Asks for the fields of a form, and closes after the values were sent. */
export async function askForm(title: unknown, parts: FormParts): Promise<void> {
  const { fields, values = {}, note, submit, run, hints = {}, choiceWords = {} } = parts;
  const drawn = fields.map((field) => {
    const { name, hint } = field;
    const options = { id: `field-${name}`, value: values[name], hint: hints[name] ?? hint, choiceWords };
    return drawField(field, options);
  });
  const serializeFields = () => JSON.stringify(drawn.map(({ read }) => read() ?? null));
  const first = serializeFields();
  let close = () => {};
  const leave = async () => {
    const words = 'What you wrote here is not saved.';
    if (serializeFields() === first || (await askSure('Drop your changes?', words, 'Drop them'))) close();
  };
  const warn = (event: BeforeUnloadEvent) => serializeFields() !== first && event.preventDefault();
  const showRefusal = (form: HTMLFormElement, error: unknown) => {
    const issues: { path: string; message: string }[] =
      (error instanceof ApiError && error.body?.issues) || [];
    for (const { field, showFault } of drawn) {
      const own = issues.filter(({ path }) => path === field.name || path.startsWith(`${field.name}[`));
      showFault(own.map(({ message }) => `This ${message}.`).join(' '));
    }
    const problem = form.querySelector<HTMLElement>('[role=alert]')!;
    problem.hidden = false;
    problem.textContent = (error as Error).message;
    form.querySelector<HTMLElement>('[aria-invalid=true]')?.focus();
  };
  const send = async (event: SubmitEvent) => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    const pressed = form.querySelector<HTMLButtonElement>('[type=submit]')!;
    pressed.disabled = true;
    try {
      await run(Object.fromEntries(drawn.map(({ field, read }) => [field.name, read()])));
      close();
    } catch (error) {
      showRefusal(form, error);
    }
    pressed.disabled = false;
  };
  const content = (answer: () => void) => {
    close = answer;
    return html`${note && html`<p class="note">${note}</p>`}
      <form class="flow" autocomplete="off" @submit=${send}>
        ${drawn.map(({ row }) => row)}
        <p class="verdict is-blocked" role="alert" hidden></p>
        <p class="actions">
          <button type="submit" class="button">${submit}</button>${button('Cancel', leave)}
        </p>
      </form>`;
  };
  addEventListener('beforeunload', warn);
  await askPerson<void>(title, content, leave);
  removeEventListener('beforeunload', warn);
}
