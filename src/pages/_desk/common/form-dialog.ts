import { html, type TemplateResult } from 'lit-html';
import { type DrawnField, drawField } from '../../_scripts/form/draw-field.ts';
import type { FormField } from '../../_scripts/form/form-field.ts';
import { showRefusedForm } from '../../_scripts/form/issues.ts';
import { type FormValues, readForm } from '../../_scripts/form/values.ts';
import { askPerson, askSure } from './dialog.ts';
import { button } from './parts.ts';
import { valueWords } from './value-words.ts';

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

/** Hints for people. Those of the contract are for agents. */
const ownHints: Record<string, string> = {
  reason: 'If you like. The activity keeps it, beside who made the change.',
  credentials: 'Such as CDL A or, with its last day, RN license PA until 8/31/2027.',
};

/** Returns the hint of a field. The control says how a day is written, and a label names another field. */
const describeHint = ({ name, hint }: FormField): string | undefined =>
  ownHints[name] ?? hint?.replace(', YYYY-MM-DD', '').replace('startDate', 'the start').replaceAll('`', '');

const drawFields = ({ fields, values = {}, hints = {}, choiceWords = {} }: FormParts): DrawnField[] =>
  fields.map((field) => {
    const { name } = field;
    return drawField(field, {
      id: `field-${name}`,
      value: values[name],
      hint: hints[name] ?? describeHint(field),
      choiceWords: { ...valueWords[name], ...choiceWords },
    });
  });

/** Returns a function that says whether the person has changed a field since now. */
function watchFields(fields: readonly DrawnField[]): () => boolean {
  const serialize = () => JSON.stringify(fields.map(({ read }) => read() ?? null));
  const first = serialize();
  return () => serialize() !== first;
}

/** Sends the values of a submitted form. Resolves with whether they were accepted, and shows a refusal. */
async function sendForm(
  form: HTMLFormElement,
  fields: readonly DrawnField[],
  run: FormParts['run'],
): Promise<boolean> {
  const pressed = form.querySelector<HTMLButtonElement>('[type=submit]')!;
  pressed.disabled = true;
  try {
    await run(readForm(fields));
    return true;
  } catch (error) {
    showRefusedForm(form, fields, error as Error);
    return false;
  } finally {
    pressed.disabled = false;
  }
}

/** What the buttons of a form do. */
interface FormActions {
  send(event: SubmitEvent): unknown;
  leave(): unknown;
}

const viewForm = (
  { note, submit }: FormParts,
  fields: readonly DrawnField[],
  { send, leave }: FormActions,
): TemplateResult => html`${note && html`<p class="note">${note}</p>`}
  <form class="flow" autocomplete="off" @submit=${send}>
    ${fields.map(({ row }) => row)}
    <p class="verdict is-blocked" role="alert" hidden></p>
    <p class="actions">
      <button type="submit" class="button">${submit}</button>${button('Cancel', leave)}
    </p>
  </form>`;

/** Asks for the fields of a form, and closes after the values were sent. */
export async function askForm(title: unknown, parts: FormParts): Promise<void> {
  const fields = drawFields(parts);
  const hasChanged = watchFields(fields);
  let close = () => {};
  const leave = async () => {
    const words = 'What you wrote here is not saved.';
    if (!hasChanged() || (await askSure('Drop your changes?', words, 'Drop them'))) close();
  };
  const send = async (event: SubmitEvent) => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    if (await sendForm(form, fields, parts.run)) close();
  };
  const content = (answer: () => void) => {
    close = answer;
    return viewForm(parts, fields, { send, leave });
  };
  const warn = (event: BeforeUnloadEvent) => hasChanged() && event.preventDefault();
  addEventListener('beforeunload', warn);
  await askPerson<void>(title, content, leave);
  removeEventListener('beforeunload', warn);
}
