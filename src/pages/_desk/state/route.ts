import type { KindFacts } from './model.ts';
import { facts, kindOfId } from './page-facts.ts';

/**
 * What the address names: `#today`, `#plan`, `#import`, `#settings`, a list with its filters, or a record. It is after the
 * `#`, so it is not sent to a server.
 */
export interface DeskRoute {
  view: 'today' | 'list' | 'record' | 'plan' | 'import' | 'settings';
  /** The id of the record, if it names one. */
  id: string | undefined;
  /** The kind of the list or of the record. That of the plan is the job order. The first kind if it names none. */
  kind: KindFacts;
  /** Filters by name. `q` has words to search for, `sort` a member, and `cursor` names the page. */
  query: Record<string, string>;
}

/** Parses `today`, `settings`, `cand_…`, or `job-orders?status=open&sort=-name&cursor=…`. */
export function parseRoute(hash: string): DeskRoute {
  const [name = '', query] = hash.replace(/^#/, '').split('?');
  const ofId = kindOfId(name);
  const ofPath = facts.kinds.find(({ path }) => path === `/${name}`);
  const other = name === 'settings' || name === 'plan' || name === 'import' ? name : 'today';
  const planned = other === 'plan' ? facts.kinds.find((kind) => kind.name === 'jobOrder') : undefined;
  return {
    view: ofId ? 'record' : ofPath ? 'list' : other,
    id: ofId && name,
    kind: ofId ?? ofPath ?? planned ?? facts.kinds[0]!,
    query: Object.fromEntries(new URLSearchParams(query)),
  };
}

/** Formats the address of a list, without empty values. */
export function formatHash({ path }: KindFacts, query: Record<string, string> = {}): string {
  const text = String(new URLSearchParams(Object.entries(query).filter(([, value]) => value !== '')));
  return `#${path.slice(1)}${text && `?${text}`}`;
}

/** The address of the plan for all open orders. */
export const planAddress = '#plan';

/** Whether an address names the board of placements: `#placements?view=board`. */
export const isBoard = ({ view, kind, query }: DeskRoute): boolean =>
  view === 'list' && kind.name === 'placement' && query.view === 'board';
