import { splitWords, toSentenceCase } from '../../_scripts/format.ts';
import { findKind } from '../state/page-facts.ts';
import type { ImportKind } from './import-model.ts';

const kindNames = { candidates: 'candidate', jobOrders: 'jobOrder' } as const;

/** Returns what the page knows of a kind that files hold. */
export const kindOf = (kind: ImportKind) => findKind(kindNames[kind]);

/** Names what columns can mean in words, such as `First name`. */
export function nameMember(kind: ImportKind, member: string): string {
  if (member === 'ref') return 'Id in your system';
  const title = kindOf(kind).fields.find(({ name }) => name === member)?.title;
  return title ?? toSentenceCase(splitWords(member));
}

/** Lists what a member can be, if that is a fixed list. */
export const listChoices = (kind: ImportKind, member: string): readonly string[] =>
  kindOf(kind).fields.find(({ name }) => name === member)?.choices ?? [];
