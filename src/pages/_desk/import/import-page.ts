/** The page of an import: its steps, what the present step shows, and the buttons at its foot. */
import { html, type TemplateResult } from 'lit-html';
import { formatAmount } from '../../_scripts/format.ts';
import { isolate } from '../../_scripts/isolate.ts';
import { learnTitles } from '../common/occupations.ts';
import { button, viewNote } from '../common/parts.ts';
import { state } from '../state/state.ts';
import { viewColumnsStep } from './columns-step.ts';
import { viewFileButton } from './import.ts';
import { cancelImport, formatStepAddress, goToStep, importRows } from './import-actions.ts';
import { type ImportSession, kindWords } from './import-model.ts';
import {
  findColumnState,
  type ImportFindings,
  type ImportStep,
  importSteps,
  listSteps,
  readFindings,
} from './import-session.ts';
import { viewRowsStep } from './rows-step.ts';
import { forgetTitleFields } from './title-fields.ts';
import { viewValuesStep } from './values-step.ts';

const stepWords = { columns: 'Columns', values: 'Titles and problems', rows: 'Import' };

/** Returns the step that the address names, or the first of the file. */
function findStep(session: ImportSession): ImportStep {
  const steps = listSteps(session);
  const named = importSteps.find((step) => step === state.route.query.step);
  return named && steps.includes(named) ? named : steps[0]!;
}

/** Says how many rows become what: `58 candidates, 2 changes`. */
function describeCounts({ counts: { added, changed } }: ImportFindings, session: ImportSession): string {
  const [one, many] = kindWords[session.kind!];
  const words = [
    (added > 0 || changed === 0) && `${formatAmount(added, one, many)} to import`,
    changed > 0 && `${formatAmount(changed, one, many)} to change`,
  ];
  return words.filter(Boolean).join(', ');
}

/** Says in a few words how far a step is. */
function describeStep(
  step: ImportStep,
  findings: ImportFindings | undefined,
  session: ImportSession,
): string {
  if (!findings) return '';
  const { table, titles, problems } = findings;
  if (step === 'columns') {
    const known = table.columns.filter(
      ({ name, index }) => findColumnState(name, index, session).state === 'known',
    );
    return `${known.length} of ${table.columns.length} imported`;
  }
  if (step === 'rows') return describeCounts(findings, session);
  const unclear = titles.filter(({ certainty }) => certainty === 'unsure').length;
  return unclear + problems.length > 0 ? `${unclear + problems.length} to settle` : 'nothing to settle';
}

function viewSteps(present: ImportStep, findings: ImportFindings | undefined, session: ImportSession) {
  return html`<nav aria-label="Steps of the import"><ol class="plain import-steps">${listSteps(session).map(
    (
      step,
      index,
    ) => html`<li><a href=${formatStepAddress(step)} aria-current=${step === present ? 'step' : 'false'}>
      <strong>${index + 1}. ${stepWords[step]}</strong> <span class="note">${describeStep(step, findings, session)}</span></a></li>`,
  )}</ol></nav>`;
}

/** Shows the buttons that lead to the other steps. The last step imports. */
function viewFoot(present: ImportStep, findings: ImportFindings | undefined, session: ImportSession) {
  const steps = listSteps(session);
  const at = steps.indexOf(present);
  const [before, next] = [steps[at - 1], steps[at + 1]];
  const { added = 0, changed = 0, bad = 0 } = findings?.counts ?? {};
  const { isBusy, fault } = session;
  const isReady = added + changed > 0 && !isBusy && fault === '';
  const rest = bad > 0 ? `, leave out ${formatAmount(bad, 'row')}` : '';
  return html`<div class="import-foot">
    ${
      next
        ? html`<button type="button" class="button" ?disabled=${!findings} @click=${() => goToStep(next)}>Continue</button>`
        : html`<button type="button" class="button" ?disabled=${!isReady} @click=${importRows}>Import ${added + changed}${rest}</button>`
    }
    ${before ? button('Back', () => goToStep(before)) : ''} ${button('Cancel', cancelImport)}
    <p class="note" role="status">${isBusy ? 'Reading …' : findings ? describeCounts(findings, session) : ''}</p>
  </div>`;
}

const viewTitle = (words: unknown): TemplateResult =>
  state.workspace
    ? html`<h2 id="import-name" tabindex="-1">${words}</h2>`
    : html`<h1 id="import-name" tabindex="-1">${words}</h1>`;

const viewContent = (
  step: ImportStep,
  findings: ImportFindings | undefined,
  session: ImportSession,
): unknown => {
  if (step === 'columns') return viewColumnsStep(session);
  if (!findings) return '';
  return step === 'values' ? viewValuesStep(findings, session) : viewRowsStep(findings, session);
};

function viewSession(session: ImportSession): TemplateResult {
  const { name, note, isLocal, fault, isBusy } = session;
  const findings = readFindings(session);
  const step = findStep(session);
  const where = isLocal
    ? 'The file is read in this browser, and does not leave it.'
    : `The file goes to this service, ${location.host}. Nothing is stored before you import it.`;
  return html`${viewTitle(html`Import ${isolate(name)}`)}
    <p class="note">${where} Names and notes are stored as they are. A public sandbox is no place for personal data.</p>
    ${note ? html`<p class="verdict is-offer">${note}</p>` : ''}
    ${isBusy && !findings ? viewNote('Reading …') : viewSteps(step, findings, session)}
    <p class="verdict is-blocked" role="alert" ?hidden=${fault === ''}>${fault}</p>
    <h3 class="unseen" id="import-step" tabindex="-1">${stepWords[step]}</h3>
    ${isBusy && !findings ? '' : viewContent(step, findings, session)}
    ${viewFoot(step, findings, session)}`;
}

/** Shows the import of the file that was opened, or how to open one. */
export const viewImport = (): TemplateResult =>
  html`<section class="import" aria-labelledby="import-name">${
    state.importing
      ? viewSession(state.importing)
      : html`${viewTitle('Import a file')}
        <p class="actions">${viewFileButton()}</p>`
  }</section>`;

/** Reads what the page of an import shows beside its file, and moves the focus to a step that was opened. */
export async function loadImport(): Promise<void> {
  const { focused, importing, route } = state;
  if (route.view !== 'import' || !importing) {
    focused.step = undefined;
    if (!importing) forgetTitleFields();
    return;
  }
  learnTitles();
  const step = `${importing.name} ${findStep(importing)}`;
  if (focused.step !== step) document.getElementById('import-step')?.focus({ preventScroll: true });
  focused.step = step;
}
