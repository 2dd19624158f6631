import * as v from 'valibot';
import type { Issue } from '../../kernel/envelope.ts';
import { withRules } from '../../kernel/json-schema.ts';
import { maxCharacters, may, mayNamed } from '../../kernel/text.ts';
import { remarkEntries } from '../activity/remark.ts';
import type { Kind } from '../kind/kind.ts';
import { checkRef } from './check-record.ts';

type MemberSchema = v.GenericSchema & { type: string; wrapped?: v.GenericSchema };
type Patch = Readonly<Record<string, unknown>>;

const isOptional = (entry: MemberSchema) => entry.type === 'optional';

const listChangeable = ({ body, lifecycle }: Kind) => ({ ...body.entries, ...lifecycle.details?.entries });

const toNullable = (entry: v.GenericSchema) => may(v.nullable(entry), v.getDescription(entry) ?? '');

/** A status that a record may have. Whether it can follow is known only with the record. */
export const anyStatus = v.pipe(v.string('must be a string'), maxCharacters(200));

/**
 * Returns the schema of a change (RFC 7396): any members of the body and, if the kind has moves, a move. Null
 * removes an optional member.
 */
export function createChangeSchema(kind: Kind) {
  const entries = Object.entries(listChangeable(kind)).map(([name, entry]) => [
    name,
    isOptional(entry as MemberSchema)
      ? toNullable((entry as MemberSchema).wrapped!)
      : v.optional(entry as MemberSchema),
  ]);
  const members = Object.fromEntries(entries) as v.ObjectEntries;
  const { moves, details, options = {} } = kind.lifecycle;
  if (moves.length === 0) return v.object({ ...members, ...remarkEntries });
  const schema = v.object({
    ...members,
    ...Object.fromEntries(Object.entries(options).map(([name, option]) => [name, option.schema])),
    status: mayNamed(
      v.union([v.picklist(moves.map(({ to }) => to)), anyStatus], 'must be a string'),
      'Status',
      `The status to move to: ${describeMoves(kind)}.`,
    ),
    ...remarkEntries,
  });
  return details ? withRules(schema, { dependentRequired: details.needs.change }) : schema;
}

function describeMoves({ lifecycle: { moves } }: Kind): string {
  if (moves.length === 0) return 'none';
  const byFrom = Map.groupBy(moves, ({ from }) => from.join(' or '));
  return [...byFrom].map(([from, to]) => `${to.map((move) => move.to).join(' or ')} from ${from}`).join('; ');
}

/** Returns an issue for each required member that a change would remove. */
export const checkRemoved = (kind: Kind, args: Patch): Issue[] =>
  Object.entries(listChangeable(kind))
    .filter(([path, entry]) => args[path] === null && !isOptional(entry as MemberSchema))
    .map(([path]) => ({ path, message: 'is required, so it cannot be null; leave it out to keep it' }));

/** Returns the issues of a change that its schema does not find, such as null for a required member. */
export function checkChange(kind: Kind, args: Patch): Issue[] {
  const body = listChangeable(kind);
  const issues: Issue[] = [...checkRemoved(kind, args), ...checkRef(kind, args.ref)];
  const add = (path: string, message: string) => issues.push({ path, message });
  for (const [path, { to }] of Object.entries(kind.lifecycle.options ?? {})) {
    if (args[path] === true && args.status !== to) add(path, `goes with a move; send status "${to}" with it`);
  }
  for (const path of Object.keys(kind.record.entries)) {
    if (path in args && path !== 'status' && !(path in body))
      add(path, 'is given by the service and cannot be changed; leave it out');
  }
  return issues;
}
