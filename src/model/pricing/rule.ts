import * as v from 'valibot';

/** Where a rule over several members is broken, and what to write instead. */
export interface Breach {
  path: readonly (string | number)[];
  message: string;
}

function toPath(value: unknown, keys: Breach['path']): [v.IssuePathItem, ...v.IssuePathItem[]] {
  let input = value;
  const items = keys.map((key) => {
    const parent = input as Record<string | number, unknown>;
    input = parent[key];
    return { type: 'unknown', origin: 'value', input: parent, key, value: input } as v.IssuePathItem;
  });
  return items as [v.IssuePathItem, ...v.IssuePathItem[]];
}

/** A rule over several members. It is asked only about values whose members are well typed one by one. */
export function toRule<T>(find: (value: T) => readonly Breach[]) {
  return v.rawCheck<T>(({ dataset, addIssue }) => {
    if (!dataset.typed) return;
    for (const { path, message } of find(dataset.value)) {
      addIssue(path.length ? { message, path: toPath(dataset.value, path) } : { message });
    }
  });
}

/** A rule that is broken at one known place, or kept. */
export function toRuleAt<T>(path: Breach['path'], message: string, isKept: (value: T) => boolean) {
  return toRule<T>((value) => (isKept(value) ? [] : [{ path, message }]));
}

/**
 * The valibot actions that say these rules. JSON Schema has no words for them: pass the list to
 * `toJsonSchema` as `ignoreActions`.
 */
export const ruleActions = ['raw_check'] as const;
