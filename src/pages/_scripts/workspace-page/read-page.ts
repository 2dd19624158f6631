import { read } from './ask.ts';
import { learnNames } from './desk.ts';
import type { KindFacts, Row } from './facts.ts';

/** Some rows of a list, how many there are in all, and where the next page begins. */
export interface Page {
  rows: Row[];
  total: number;
  next: string | undefined;
}

/** Reads a page of the workspace's own records of a kind, the newest first. */
export async function readPage({ path, collection }: KindFacts, more: Record<string, string>): Promise<Page> {
  const { body } = await read(`${path}?${new URLSearchParams({ scope: 'workspace', ...more })}`);
  const rows = (body[collection] ?? []) as Row[];
  learnNames(rows);
  return { rows, total: body.total ?? 0, next: body.nextCursor };
}
