/** Keeps what a record has where the cells of a row are empty: an empty cell changes nothing. */
import { foldText } from '../kernel/words.ts';
import { stateByName } from '../records/kind/fields/states.ts';
import type { Kind } from '../records/kind/kind.ts';
import { findFileMember } from './cells.ts';
import { findCountry } from './countries.ts';
import { findExtraMember, isExtraColumn, labelOfExtra } from './extra-columns.ts';
import type { FileRow, ImportFile } from './import-file.ts';
import { locateMember } from './notes.ts';
import { hasWordsOf } from './read-places.ts';

type Silent = ReadonlyMap<string, string>;

const withDay = /^(.*?)( until \d{4}-\d{2}-\d{2})$/;

/** Splits a credential into what is held and its last day, which may be empty. */
function splitCredential(text: string): { text: string; held: string; day: string } {
  const [, held = text, day = ''] = withDay.exec(text) ?? [];
  return { text, held, day };
}

const addsState = (known: string, held: string) =>
  known.startsWith(`${held} `) && stateByName.has(foldText(known.slice(held.length + 1)));

/** Gives each credential of a row the state and the last day that the record has for it, if the columns for them are empty. */
function fillCredentials(now: readonly string[], before: readonly string[], silent: Silent): string[] {
  const left = before.filter((one) => !now.includes(one)).map(splitCredential);
  const listSame = (held: string) =>
    left.filter((one) => one.held === held || (silent.has('licenseState') && addsState(one.held, held)));
  const filled = now.map((item) => {
    if (before.includes(item)) return item;
    const { held, day } = splitCredential(item);
    const same = listSame(held);
    const known = same.find((one) => one.day === day) ?? same[0];
    if (!known) return item;
    left.splice(left.indexOf(known), 1);
    return known.held + (day === '' && silent.has('licenseExpiration') ? known.day : day);
  });
  // Without their states, two licenses of one name were one.
  const hasOther = now.some((item) => silent.has('licenseState') && listSame(splitCredential(item).held)[0]);
  return hasOther ? joinLists(filled, before) : filled;
}

/** Joins the items of a record and of a row. Of a credential in both, the row's text counts. */
function joinLists(now: readonly string[], before: readonly string[]): string[] {
  const heldNow = new Map(now.map((item) => [splitCredential(item).held, item]));
  const kept = before.map((one) =>
    now.includes(one) ? one : (heldNow.get(splitCredential(one).held) ?? one),
  );
  return [...new Set([...kept, ...now])];
}

function keepList(member: string, now: string[], { known, silent }: FileRow): string[] {
  const before = (known![member] ?? []) as string[];
  const filled = member === 'credentials' ? fillCredentials(now, before, silent!) : now;
  return silent!.has(member) ? joinLists(filled, before) : filled;
}

/** Whether a place has a part that a column names: its country is behind its state. */
function hasPart(place: string, part: string): boolean {
  const [last = '', ...others] = place
    .split(',')
    .map((one) => one.trim())
    .toReversed();
  const isState = stateByName.has(foldText(last));
  const isCountry = !isState && (others.length > 0 || findCountry(last) !== undefined);
  if (part === 'state') return isState || (isCountry && others.length > 1);
  if (part === 'country') return isCountry;
  return others.length > 0 || (!isState && !isCountry);
}

const isPartOf = (known: string, member: string, part: string) =>
  member === 'metro' ? hasPart(known, part) : /\s/.test(known.trim());

/** Leaves a joined member as it is, if a part of it that the record has is empty in the row. Says so if the others differ. */
function keepJoined(member: string, parts: readonly string[], row: FileRow, file: ImportFile): void {
  const { known, members, silent } = row;
  const [before, now] = [known![member], members[member]];
  if (typeof before !== 'string' || typeof now !== 'string') return;
  const empty = [...parts, member].find((part) => silent!.has(part) && isPartOf(before, member, part));
  if (empty === undefined) return;
  delete members[member];
  if (hasWordsOf(before, now)) return;
  const why = `${member} stays as it is, because ${silent!.get(empty)} is empty; fill it to change the whole`;
  file.notTaken.push({ ...locateMember(row, member), why, detail: `"${now}"` });
}

const labelOf = (line: string) => line.slice(0, line.indexOf(':') + 1);

/** Returns a note with some named lines, which are in the place of those of the same names. */
function replaceLines(note: string, added: readonly string[]): string {
  const byLabel = Map.groupBy(added, labelOf);
  const seen = new Set<string>();
  const lines = note.split('\n').flatMap((line) => {
    const label = labelOf(line);
    const instead = label === '' ? undefined : byLabel.get(label);
    if (!instead) return [line];
    const isFirst = !seen.has(label);
    seen.add(label);
    return isFirst ? instead : [];
  });
  return [...lines, ...added.filter((line) => !seen.has(labelOf(line)))].join('\n');
}

/** Keeps the named lines of a note whose columns are empty, and all others if the row has named lines alone. */
function keepNote({ known, members, silent, addsToNote }: FileRow): void {
  const [before, now] = [known!.note, members.note];
  if (typeof before !== 'string' || typeof now !== 'string') return;
  if (addsToNote) {
    members.note = replaceLines(before, now.split('\n'));
    return;
  }
  const extras = [...silent!.keys()].filter(isExtraColumn).filter((one) => findExtraMember(one) === 'note');
  const labels = extras.map((one) => `${labelOfExtra(one)}:`);
  const kept = before.split('\n').filter((line) => labels.includes(labelOf(line)));
  const has = now.split('\n').map(labelOf);
  const missing = kept.filter((line) => !has.includes(labelOf(line)));
  if (missing.length === 0) return;
  const joined = [...now.split('\n'), ...missing];
  // The lines are in the order in which the record has them, if the row says the same as before.
  const isSame = before.split('\n').toSorted().join('\n') === joined.toSorted().join('\n');
  members.note = isSame ? before : joined.join('\n');
}

/** Keeps in a row that changes a record what its empty cells said before. */
export function keepSilent(row: FileRow, file: ImportFile, kind: Kind): void {
  const { silent, members } = row;
  if (!silent) return;
  for (const member of Object.keys(members)) {
    const { form, parts } = findFileMember(kind, member);
    const now = members[member];
    if (form === 'list' && Array.isArray(now)) members[member] = keepList(member, now as string[], row);
    if (parts) keepJoined(member, parts, row, file);
  }
  keepNote(row);
}
