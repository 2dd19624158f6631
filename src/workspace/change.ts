import type { Finding } from '../kernel/envelope.ts';
import { toIsoDate } from '../kernel/text.ts';
import type { ActivityEntry, RecordOfEntry } from './activity.ts';
import type { Charge } from './charge.ts';
import type { Head } from './head.ts';
import type { Commit } from './store.ts';
import { DraftView } from './view.ts';
import type { ListReferences, Workspace, WorkspaceContent } from './workspace.ts';

/** Why a record changes, and from which day that counts, as the caller says. */
export type Remark = Pick<RecordOfEntry, 'reason' | 'effectiveDate'>;

/** What a change did, before it has its revision and its time. */
export type NewActivity = Omit<ActivityEntry, 'revision' | 'at'>;

interface ChangeParts {
  listReferences: ListReferences;
  seed: Workspace;
  /** The workspace before the change. Undefined if the change makes it. */
  workspace: WorkspaceContent | undefined;
  /** Milliseconds since the epoch. */
  now: number;
}

/**
 * One change of a workspace while its rule decides it: the records as they are after it, and what else is written with
 * them. Nothing is written before the rule has returned.
 */
export class Change extends DraftView {
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** The workspace before the change. Undefined if the change makes it. */
  readonly head: Head | undefined;
  /** The state of the workspace after the change. */
  state: Head['state'];
  /** When the workspace expires, if not at `expiresAt` of the request. An expiry is never shortened. */
  expiresAt: number | undefined;
  /** The hash that opens the workspace from now on, if it changes. */
  rename: string | undefined;
  /** Whether the workspace is deleted with everything in it. */
  deletesWorkspace = false;
  /** Whether nothing is written. */
  isDiscarded = false;
  /** Conflicts with other records, and advice. */
  readonly warnings: Finding[] = [];
  /** Tokens that lead to the workspace from now on, by the SHA-256 of each in hex. */
  readonly addedTokens: Record<string, Commit['addedTokens'][string]> = {};
  readonly removedTokens: string[] = [];
  /** What the change does, in order. Each entry gets a revision of its own. */
  readonly activity: NewActivity[] = [];
  readonly #remarks = new Map<string, Remark>();
  /** Charged with the change, unless that deletes the workspace. */
  charge: Charge | undefined;
  /** The reply to a repeated request, as text. */
  keptReply: string | undefined;

  constructor({ listReferences, seed, workspace, now }: ChangeParts) {
    super(listReferences, seed, workspace);
    this.now = now;
    this.head = workspace?.head;
    this.state = this.head?.state ?? {};
  }

  /** The UTC day of the change. */
  get today(): string {
    return toIsoDate(this.now);
  }

  warn(findings: readonly Finding[]): void {
    this.warnings.push(...findings);
  }

  /** Adds a token by its hash. `to` says what it is for in the workspace, until `expiresAt` in milliseconds. */
  addToken(hash: string, to: string, expiresAt: number): void {
    this.addedTokens[hash] = { to, expiresAt };
  }

  removeTokens(hashes: readonly string[]): void {
    this.removedTokens.push(...hashes);
  }

  /** Says why a record changes. The next entry of the activity that lists the record has it. */
  remark(id: string, { reason, effectiveDate }: Remark): void {
    const remark = {
      ...(reason !== undefined && { reason }),
      ...(effectiveDate !== undefined && { effectiveDate }),
    };
    if (Object.keys(remark).length > 0) this.#remarks.set(id, remark);
  }

  /** Returns what was said of a record since it was last taken. */
  takeRemark(id: string): Remark {
    const remark = this.#remarks.get(id) ?? {};
    this.#remarks.delete(id);
    return remark;
  }

  /** Writes nothing: neither drafts nor anything else. */
  discard(): void {
    this.isDiscarded = true;
  }
}
