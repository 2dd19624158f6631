import { isNamed, learnNames, toKind } from './desk.ts';
import type { KindFacts, Row } from './facts.ts';
import { readPage } from './read-page.ts';

/** Kinds of the public examples whose names were read; they never change. */
const examples = new Map<string, Promise<void>>();
/** The id of an example ends in its number. */
const isExample = (id: string) => /_\d{3}$/.test(id);

async function learnExamples({ path, collection }: KindFacts): Promise<void> {
  try {
    learnNames((await (await fetch(`${path}.json`)).json())[collection] as Row[]);
  } catch {}
}

/**
 * Learns what rows refer to is called, as far as lists tell it, which cost nothing: the newest records of the kind, and
 * the public examples. What stays unknown is shown by its id.
 */
export async function learnReferred({ references }: KindFacts, rows: readonly Row[]): Promise<void> {
  for (const [member, of] of Object.entries(references)) {
    const unknown = rows.map((row) => row[member] as string).filter((id) => !isNamed(id));
    const kind = toKind(of);
    if (unknown.some(isExample)) {
      if (!examples.has(of)) examples.set(of, learnExamples(kind));
      await examples.get(of);
    }
    if (unknown.some((id) => !isExample(id))) await readPage(kind, { limit: '200' });
  }
}
