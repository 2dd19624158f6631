import * as v from 'valibot';

/**
 * An object with these members and no others, so that a misspelt name is refused and not overlooked.
 * `name` begins the messages: "A meter has no such member; …".
 */
export function toMembers<const E extends v.ObjectEntries>(name: string, entries: E) {
  const members = Object.keys(entries).join(', ');
  return v.strictObject(entries, (issue) => {
    if (issue.expected === 'never') return `${name} has no such member; its members are ${members}.`;
    if (issue.expected === 'Object') return `${name} is an object with the members ${members}.`;
    return `${name} must have this member.`;
  });
}
