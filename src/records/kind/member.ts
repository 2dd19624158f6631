import type * as v from 'valibot';
import type { Factor } from './factor.ts';
import type { Filters } from './filters.ts';

/** Members for pay by the hour and by the year: the least, and the most where a kind has it. */
export interface PayMembers {
  hour: readonly string[];
  year: readonly string[];
}

/** How the cell of a file for a member is read. */
export type CellForm =
  | { form: 'text' | 'whole' | 'day' | 'place' }
  /** `hasDays`: an item may name a day, such as the last one of a credential. */
  | { form: 'list'; hasDays?: true }
  /** One or several of its values, by the names in content/import-columns.json. */
  | { form: 'choice' | 'choices'; of: 'workplace' | 'shift' }
  /**
   * An amount or a range. The text says whether it is by the hour or by the year, or else `usual` does. `takesLeast`: of a
   * range, a record with one member has the lower end.
   */
  | { form: 'pay'; members: PayMembers; usual: keyof PayMembers; takesLeast?: true };

/** How a file holds a member. Its columns are in content/import-columns.json, under its name. */
export type FileMember = CellForm & {
  /** Whether a text such as "None" can be its value. In any other member it counts as empty. */
  takesFillers?: true;
  /** Columns that hold a part of it, in the order in which they are joined. */
  parts?: readonly string[];
  separator?: string;
};

/**
 * All that a kind says of one member. Other files read it here, and do not list members by name. The exception is
 * a rule that is about that member.
 */
export interface FullMember {
  schema: v.GenericSchema;
  /** Filters of lists and of matches, by the name of their query parameter. */
  filters?: Filters;
  /** How it counts in a match. */
  factor?: Factor;
  /** How the filter `q` reads it: as words, or as the place of the record. Absent if it is not searched. */
  search?: 'words' | 'place';
  /** Whether lists can be sorted by it. */
  isSortable?: true;
  /** Whether a match shows it beside those of every record. */
  isInSummary?: true;
  /**
   * What a client sees on a shortlist. `withheld`: neither it nor what it does to a match. Absent: only what it does to a
   * match.
   */
  client?: 'shown' | 'withheld';
  /** Set if the history says that it changed, and not to what. */
  isPrivate?: true;
  /** false if the short list of tools leaves it out. */
  isCore?: false;
  /** How a file holds it. If absent, as text. */
  file?: FileMember;
  /** Its column in the tables of the desk, which can be sorted by it. `isName`: it is first, and names the record. */
  column?: { title: string; isName?: true };
}

/** One member of a body: its schema, alone or with what else is said of it. */
export type Member = v.GenericSchema | FullMember;

/** The names of the members of which something holds. */
export const listMembersWith = (
  members: Readonly<Record<string, FullMember>>,
  passes: (member: FullMember) => boolean,
): string[] =>
  Object.entries(members)
    .filter(([, member]) => passes(member))
    .map(([name]) => name);
