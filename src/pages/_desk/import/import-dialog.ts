import { html, render, type TemplateResult } from 'lit-html';
import { type DrawnField, drawField } from '../../_scripts/form/draw-field.ts';
import { listIssues } from '../../_scripts/form/issues.ts';
import { formatAmount } from '../../_scripts/format.ts';
import { viewFileTable } from './file-table.ts';
import {
  type ImportApi,
  type ImportKind,
  type ImportReply,
  kindWords,
  listReadRows,
  type ShownCode,
  type ShownFile,
} from './import-model.ts';
import { viewMapping, viewNotTaken, viewProblems } from './import-notes.ts';

const codeField = { name: 'onetCode', title: 'Code', hint: '', type: 'text', required: false } as const;

/** Shows one file in a dialog: what its rows are, the records as they would be created, and the import. */
export class ImportDialog {
  readonly #element = document.createElement('dialog');
  readonly #file: ShownFile;
  readonly #api: ImportApi;
  readonly #fields = new Map<string, DrawnField>();
  #kind: ImportKind | undefined;
  #reply: ImportReply | undefined;
  #isSkipping = false;
  #fault = '';
  #isBusy = false;

  constructor(file: ShownFile, api: ImportApi) {
    this.#file = file;
    this.#api = api;
    const { format } = file.args;
    if (format !== 'csv') this.#kind = format === 'resume' ? 'candidates' : 'jobOrders';
    this.#element.className = 'import-dialog';
    this.#element.setAttribute('aria-labelledby', 'import-name');
    this.#element.addEventListener('close', () => this.#element.remove());
  }

  /** Opens the dialog. Returns when the file was read once, if its format says what it holds. */
  async open(): Promise<void> {
    this.#draw();
    document.body.append(this.#element);
    this.#element.showModal();
    if (this.#kind !== undefined) await this.#check();
  }

  #draw(): void {
    render(this.#view(), this.#element);
  }

  /** Lists the codes of the rows, with those that the person chose. */
  #listCodes(): ShownCode[] {
    const codes = this.#reply?.codes ?? [];
    return codes.flatMap((code) => {
      const field = this.#fields.get(code.at);
      const onetCode = field
        ? (field.read() as string | undefined)
        : code.certainty === 'stated'
          ? code.onetCode
          : null;
      return onetCode ? [{ ...code, onetCode }] : [];
    });
  }

  #createArgs(isDry: boolean): object {
    const { args } = this.#file;
    const codes = this.#listCodes().map(({ at, title, onetCode }) => ({ at, title, onetCode }));
    return {
      ...args,
      ...(args.format === 'csv' && { kind: this.#kind }),
      ...(codes.length > 0 && { codes }),
      upsert: true,
      ...(!isDry && this.#isSkipping && { onProblem: 'skip' }),
      dryRun: isDry,
    };
  }

  /** Runs `call` with the buttons off, and shows why it was refused. */
  async #run(call: () => Promise<void>): Promise<void> {
    this.#isBusy = true;
    this.#fault = '';
    this.#draw();
    try {
      await call();
    } catch (error) {
      this.#fault = [
        (error as Error).message,
        ...listIssues(error)
          .slice(1)
          .map(({ path, message }) => `${path} ${message}.`),
      ].join(' ');
    }
    this.#isBusy = false;
    this.#draw();
  }

  #check = (): Promise<void> =>
    this.#run(async () => {
      const { body } = await this.#api.send(this.#createArgs(true));
      this.#reply = body;
      for (const code of body.codes) if (code.certainty === 'unsure') this.#openField(code);
    });

  #import = (): Promise<void> =>
    this.#run(async () => {
      const { body } = await this.#api.send(this.#createArgs(false));
      this.#element.close();
      const words = `${this.#formatRows(body)} from ${this.#file.name}.`;
      await this.#api.finish(words, body.workspace);
    });

  /** Draws the search field for the code of a row, with the code that the row has. */
  #openField({ at, onetCode }: ShownCode): void {
    if (this.#fields.has(at)) return;
    const id = `import-code-${at.replaceAll(/\W+/g, '-')}`;
    const field = drawField({ ...codeField, title: `Code of ${at}` }, { id, value: onetCode ?? undefined });
    this.#fields.set(at, field);
  }

  #choose(kind: ImportKind): void {
    this.#kind = kind;
    this.#fields.clear();
    this.#reply = undefined;
    this.#check();
  }

  /** Says how many records are new, and how many are changed. */
  #formatRows({ records }: ImportReply, isDone = true): string {
    const [one, many] = kindWords[this.#kind!];
    const [added, changed] = isDone ? ['imported', 'changed'] : ['to import', 'to change'];
    const changes = records.changes?.length ?? 0;
    const counts = [
      `${formatAmount(records[this.#kind!]?.length ?? 0, one, many)} ${added}`,
      changes > 0 && `${formatAmount(changes, one, many)} ${changed}`,
    ];
    return counts.filter(Boolean).join(', ');
  }

  #viewKinds(): TemplateResult | string {
    if (this.#file.args.format !== 'csv') return '';
    const kinds = Object.keys(kindWords) as ImportKind[];
    return html`<p id="import-kinds">What is one row of this file?</p>
      <p class="actions" role="group" aria-labelledby="import-kinds">${kinds.map(
        (
          kind,
        ) => html`<button type="button" class=${`button ${kind === this.#kind ? 'on' : 'quiet'}`} ?disabled=${this.#isBusy}
          aria-pressed=${kind === this.#kind} @click=${() => this.#choose(kind)}>A ${kindWords[kind][0]}</button>`,
      )}</p>`;
  }

  #skip = (isOn: boolean): void => {
    this.#isSkipping = isOn;
    this.#draw();
  };

  #viewReply(reply: ImportReply): TemplateResult {
    const { warnings = [], problems, statement } = reply;
    const rows = listReadRows(reply, this.#kind!);
    const change = (code: ShownCode) => {
      this.#openField(code);
      this.#draw();
      this.#fields.get(code.at)!.control.focus();
    };
    const isReady = problems.length === 0 || this.#isSkipping;
    return html`<p role="status">${this.#formatRows(reply, false)}</p>
      ${viewProblems(reply, this.#isSkipping, this.#skip)}
      ${viewFileTable({ reply, rows, fieldOf: ({ at }) => this.#fields.get(at)?.row, change })}
      ${warnings.map(({ path, message }) => html`<p class="note">${path} ${message}</p>`)}
      ${viewMapping(reply)}
      ${viewNotTaken(reply)}
      <p class="note">${statement}</p>
      <p class="actions">
        ${problems.length > 0 ? html`<button type="button" class="button quiet" ?disabled=${this.#isBusy} @click=${this.#check}>Check again</button>` : ''}
        <button type="button" class="button" ?disabled=${this.#isBusy || !isReady} @click=${this.#import}>Import${this.#isSkipping ? ' the rest' : ''}</button></p>`;
  }

  #view(): TemplateResult {
    const { name, note, isLocal } = this.#file;
    return html`<h2 id="import-name">Import ${name}</h2>
      <p class="note">${isLocal ? 'The file is read in this browser, and does not leave it.' : `The file goes to this service, ${location.host}, which only reads it at first.`}
        Names and notes are stored as they are.</p>
      ${note ? html`<p class="verdict is-offer">${note}</p>` : ''}
      ${this.#viewKinds()}
      <p class="verdict is-blocked" role="alert" ?hidden=${this.#fault === ''}>${this.#fault}</p>
      <p class="note" role="status">${this.#isBusy ? 'Reading …' : ''}</p>
      ${this.#reply ? this.#viewReply(this.#reply) : ''}
      <p class="actions"><button type="button" class="button quiet" @click=${() => this.#element.close()}>Cancel</button></p>`;
  }
}
