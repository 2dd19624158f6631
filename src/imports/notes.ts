import { cutExcerpt, mostPlaces } from '../kernel/envelope.ts';
import type { Steps } from '../kernel/steps.ts';
import type { FileNote, FileRow } from './import-file.ts';

/** Notes that say the same of one column or member, as a reply shows them. */
export interface NoteGroup {
  member: string;
  why: string;
  rows: number[];
  /** How many rows are not listed. */
  more?: number;
}

/** How many different texts of the file a group quotes, and how many characters of each. */
const mostDetails = 3;
const longestDetail = 150;

interface Gathered {
  first: FileNote;
  rows: Set<number>;
  details: Set<string>;
}

/** How many notes are grouped in one step: each cell of a file can have one. */
const notesOfStep = 1000;

function* gather(notes: readonly FileNote[]): Steps<Gathered[]> {
  const groups = new Map<string, Gathered>();
  for (const [index, note] of notes.entries()) {
    if (index % notesOfStep === notesOfStep - 1) yield;
    const key = `${note.member}\n${note.why}`;
    const group = groups.get(key) ?? { first: note, rows: new Set(), details: new Set() };
    if (note.row !== undefined) group.rows.add(note.row);
    if (note.detail !== undefined) group.details.add(cutExcerpt(note.detail, longestDetail));
    groups.set(key, group);
  }
  return [...groups.values()];
}

function explain({ first, details }: Gathered): string {
  const shown = [...details].slice(0, mostDetails);
  const more = details.size > mostDetails ? ', …' : '';
  return shown.length > 0 ? `${first.why}: ${shown.join(', ')}${more}` : first.why;
}

/** Presents the rows that something is said of: the first ones, in order, and how many there are beside them. */
export function presentRows(rows: Iterable<number>): Pick<NoteGroup, 'rows' | 'more'> {
  const all = [...new Set(rows)].sort((one, other) => one - other);
  const more = all.length - mostPlaces;
  return { rows: all.slice(0, mostPlaces), ...(more > 0 && { more }) };
}

/** Groups notes by their member and what they say, in the order of their first rows. */
export function* groupNotes(notes: readonly FileNote[]): Steps<NoteGroup[]> {
  const groups = yield* gather(notes);
  return groups.map((group) => ({
    member: group.first.member,
    why: explain(group),
    ...presentRows(group.rows),
  }));
}

/** Returns an issue for each group of problems, at the place of its first. */
export function* toIssues(notes: readonly FileNote[]): Steps<{ path: string; message: string }[]> {
  const groups = yield* gather(notes);
  return groups.map((group) => {
    const more = group.rows.size - 1;
    const others = more > 0 ? ` (and in ${more} more ${more === 1 ? 'row' : 'rows'})` : '';
    return { path: group.first.at, message: explain(group) + others };
  });
}

/** Quotes what a place holds, for the detail of a note. */
export const quote = (value: unknown): string =>
  `"${cutExcerpt(Array.isArray(value) ? value.join(', ') : String(value), 40)}"`;

/** Returns the place of a member of a row, for a note. */
export function locateMember(row: FileRow, member: string): Pick<FileNote, 'row' | 'at' | 'member'> {
  const at = row.places[member] ?? row.at;
  const name = at.slice(row.at.length).replace(/^(?:, |\.)/, '');
  return { row: row.number, at, member: name === '' ? member : name };
}
