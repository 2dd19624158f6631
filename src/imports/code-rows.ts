import type * as v from 'valibot';
import { cutExcerpt, type WordedIssue } from '../kernel/envelope.ts';
import { Refusal } from '../kernel/refusal.ts';
import { type Steps, wait } from '../kernel/steps.ts';
import { formatWording } from '../kernel/wording.ts';
import { checkCode, normaliseCode } from '../occupations/code.ts';
import { type CodedTitle, TitleCoder } from '../occupations/code-titles.ts';
import type { Context } from '../records/service.ts';
import type { FileRow, ImportFile } from './import-file.ts';
import { lacksTitle, needsCode } from './needs-code.ts';
import { locateMember, quote } from './notes.ts';

/** A code that the caller sends for a row, as a dry run listed it. */
export interface SentCode {
  at: string;
  title?: string | null | undefined;
  onetCode?: string | null | undefined;
}

/** The code of a row: `stated` by the file or the caller, or found by its title. Null if that is not clear. */
export interface RowCode {
  at: string;
  title: string | null;
  onetCode: string | null;
  certainty: 'stated' | 'sure' | 'likely' | 'unsure';
}

/** How many occupations a problem names. */
const mostNamed = 3;
/** The longest title that is searched for, as in codeTitles. */
const longestTitle = 200;

const readTitle = ({ members: { title } }: FileRow): string | null =>
  typeof title === 'string' ? title : null;

function* findCodeIssues(onetCode: string, { service, call }: Context): Steps<WordedIssue[]> {
  yield;
  const found = checkCode({ onetCode }, service, call);
  return found instanceof Promise ? yield* wait(found) : found;
}

/** Throws a Refusal if a code is for no row of the file, for a row with another title, or is none. */
function* refuseCodes(
  sent: readonly SentCode[],
  rows: ReadonlyMap<string, FileRow>,
  context: Context,
): Steps<void> {
  const issues: WordedIssue[] = [];
  for (const [index, { at, title, onetCode }] of sent.entries()) {
    const row = rows.get(at);
    const path = `codes[${index}]`;
    if (!row)
      issues.push({
        path: `${path}.at`,
        message: `is no row of this file; the first is ${rows.keys().next().value}`,
      });
    else if (typeof title === 'string' && title !== (readTitle(row) ?? ''))
      issues.push({ path: `${path}.title`, message: 'is not the title of this row; run the file dry again' });
    if (issues.length > 0 || typeof onetCode !== 'string') continue;
    for (const issue of yield* findCodeIssues(onetCode, context))
      issues.push({ path: `${path}.onetCode`, message: issue.message });
  }
  if (issues.length > 0) throw new Refusal('invalid_request', { issues });
}

/** Says why a title has no code, with an example of what to send for its row. */
function explainUnsure(
  { at }: FileRow,
  { title, message, occupations }: v.InferOutput<typeof CodedTitle>,
): { why: string; detail: string } {
  const named = occupations.slice(0, mostNamed).map((one) => `${one.id} (${one.title})`);
  const best = named.length > 0 ? ` The best are ${named.join(', ')}.` : '';
  const detail = JSON.stringify({ at, onetCode: occupations[0]?.id ?? '…' });
  return {
    why: `"${cutExcerpt(title)}" has no sure code. ${message ?? ''}${best} ${needsCode}`,
    detail,
  };
}

/** Returns the code that a row states, or undefined with a problem if there is no such code. */
function* readStated(row: FileRow, file: ImportFile, context: Context): Steps<RowCode> {
  const onetCode = row.members.onetCode as string;
  const issues = yield* findCodeIssues(onetCode, context);
  const title = readTitle(row);
  if (issues.length === 0) return { at: row.at, title, onetCode, certainty: 'stated' };
  const why = formatWording(issues[0]!.message);
  file.problems.push({ ...locateMember(row, 'onetCode'), why, detail: quote(onetCode) });
  return { at: row.at, title, onetCode: null, certainty: 'unsure' };
}

function* findByTitle(row: FileRow, file: ImportFile, coder: TitleCoder): Steps<RowCode> {
  const { at, places } = row;
  const title = readTitle(row);
  if (title === null || title.length > longestTitle) {
    // A title that breaks a rule has its own problem.
    if (!places.title)
      file.problems.push({
        ...locateMember(row, 'title'),
        why: lacksTitle,
      });
    return { at, title, onetCode: null, certainty: 'unsure' };
  }
  const coded = yield* coder.find(title);
  const [first] = coded.occupations;
  if (!first || coded.certainty === 'unsure') {
    file.problems.push({ ...locateMember(row, 'title'), ...explainUnsure(row, coded) });
    return { at, title, onetCode: null, certainty: 'unsure' };
  }
  row.members.onetCode = first.id;
  return { at, title, onetCode: first.id, certainty: coded.certainty };
}

/** Returns the O*NET-SOC code of a SOC code: 29-1141.00 for 29-1141. Returns any other code unchanged. */
function toWholeCode(code: string, { service }: Context): string {
  const whole = `${code}.00`;
  return service.occupationByCode.has(whole) ? whole : code;
}

/**
 * Gives each row its code, and returns the codes in the order of the rows: the one that the caller sends, the one in
 * the file, or the one that its title surely or likely means. Otherwise the row has a problem.
 *
 * Throws a Refusal for a sent code that belongs to no row, or does not exist.
 */
export function* codeRows(file: ImportFile, sent: readonly SentCode[], context: Context): Steps<RowCode[]> {
  const rows = new Map(file.rows.map((row) => [row.at, row]));
  yield* refuseCodes(sent, rows, context);
  for (const { at, onetCode } of sent) if (onetCode) rows.get(at)!.members.onetCode = onetCode;
  for (const { members } of file.rows)
    if (typeof members.onetCode === 'string')
      members.onetCode = toWholeCode(normaliseCode(members.onetCode), context);
  const coder = new TitleCoder(context.service);
  const codes: RowCode[] = [];
  for (const row of file.rows) {
    const isStated = row.members.onetCode !== undefined;
    const coded = isStated ? readStated(row, file, context) : findByTitle(row, file, coder);
    codes.push(yield* coded);
  }
  return codes;
}
