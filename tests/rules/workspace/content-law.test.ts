import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { SqliteStore } from '../../../src/stores/sqlite.ts';
import type { Change } from '../../../src/workspace/change.ts';
import type { StoredRecord } from '../../../src/workspace/record.ts';
import type { Workspace, WorkspaceContent } from '../../../src/workspace/workspace.ts';
import { make, TestedStore, toChange, toName, toRecord } from '../../support/changes.ts';
import { toChance } from '../../support/people.ts';

const law = suite('the content of a workspace');

type Kind = 'candidate' | 'placement';

/** A record as a plain list holds it. It has no number before it is written. */
interface Row {
  kind: Kind;
  record: StoredRecord;
  seq?: number;
}

const names = ['Ann', 'Bo', 'Cy'];
const refs = ['a', 'b', 'c', 'd', undefined];
const kinds: Kind[] = ['candidate', 'placement'];
/** An index needs one function for each kind. */
const byName = {
  candidate: ({ name }: StoredRecord) => name as string,
  placement: ({ name }: StoredRecord) => name as string,
};

const refersTo = ({ record }: Row, id: string) => record.candidateId === id || record.jobOrderId === id;
const listIds = (rows: Iterable<{ record: { id: string } }>) =>
  [...rows].map(({ record }) => record.id).sort();

/** Compares every read of a content with a plain list. `deleted` are ids that it has no more. */
function compareContent(content: WorkspaceContent, rows: readonly Row[], deleted: readonly string[]): void {
  for (const kind of kinds) {
    const ofKind = rows.filter((row) => row.kind === kind);
    assert.equal(
      content.list(kind).map(({ seq, record }) => ({ seq, record })),
      ofKind.toSorted((a, b) => a.seq! - b.seq!).map(({ seq, record }) => ({ seq, record })),
    );
    for (const { record } of rows) {
      const found = content.find(kind, record.id)?.record;
      assert.is(
        found && JSON.stringify(found),
        ofKind.some((row) => row.record === record) ? JSON.stringify(record) : undefined,
      );
    }
    for (const id of deleted) assert.is(content.find(kind, id), undefined);
    for (const ref of refs)
      if (ref)
        assert.is(
          content.findByRef(kind, ref)?.record.id,
          ofKind.find(({ record }) => record.ref === ref)?.record.id,
        );
    for (const name of names)
      assert.equal(
        listIds(content.listByKey(kind, byName[kind], name)),
        listIds(ofKind.filter(({ record }) => record.name === name)),
      );
  }
  for (const id of [...rows.map(({ record }) => record.id), ...deleted])
    assert.equal(listIds(content.listReferring(id)), listIds(rows.filter((row) => refersTo(row, id))));
}

/** Compares every read of a change that is being decided with a plain list. */
function compareDraft(change: Change, rows: readonly Row[], deleted: readonly string[]): void {
  for (const kind of kinds) {
    const ofKind = rows.filter((row) => row.kind === kind);
    for (const { record } of rows) {
      const expected = ofKind.find((row) => row.record.id === record.id)?.record;
      assert.equal(change.find(kind, record.id), expected);
      assert.equal(change.findOwn(kind, record.id)?.record, expected);
    }
    for (const id of deleted) {
      assert.is(change.find(kind, id), undefined);
      assert.is(change.findOwn(kind, id), undefined);
    }
    for (const ref of refs) {
      if (!ref) continue;
      const expected = ofKind.find(({ record }) => record.ref === ref)?.record.id;
      assert.is(change.findByRef(kind, ref)?.id, expected);
      assert.is(change.resolve(kind, `#${ref}`), expected);
    }
    for (const name of names) {
      const found = [...change.eachByKey(kind, byName[kind], name)].map((record) => ({ record }));
      assert.equal(listIds(found), listIds(ofKind.filter(({ record }) => record.name === name)));
    }
    for (const id of [...rows.map(({ record }) => record.id), ...deleted]) {
      const referring = change.listReferring(kind, id);
      const expected = ofKind.filter((row) => refersTo(row, id));
      assert.equal(listIds(referring.map((record) => ({ record }))), listIds(expected));
      const places = referring.map(
        ({ id }) => expected.find(({ record }) => record.id === id)!.seq ?? Infinity,
      );
      assert.equal(
        places,
        places.toSorted((a, b) => a - b),
        'oldest first',
      );
      const isAnn = ({ name }: StoredRecord) => name === 'Ann';
      assert.is(change.countReferring(kind, id, isAnn), referring.filter(isAnn).length);
    }
  }
}

/** A stored reply as a plain list holds it. */
interface Reply {
  name: string;
  expiresAt: number;
  bytes: number;
}

function compareReplies(content: WorkspaceContent, replies: readonly Reply[], gone: readonly string[]): void {
  const byName = (a: Reply, b: Reply) => (a.name < b.name ? -1 : 1);
  const listed = [...content.listReplies()].map(({ name, expiresAt, bytes }) => ({ name, expiresAt, bytes }));
  assert.equal(listed.sort(byName), replies.toSorted(byName));
  for (const { name } of replies) assert.is(content.findReply(name)?.name, name);
  for (const name of gone) assert.is(content.findReply(name), undefined);
}

/** A workspace, and a plain list of what it holds. */
class Listed {
  rows: Row[] = [];
  replies: Reply[] = [];
  readonly #expired: string[] = [];
  readonly deleted: string[] = [];
  lastSeq = 0;
  readonly #chance: (bound: number) => number;

  constructor(seed: number) {
    this.#chance = toChance(seed);
  }

  #pick<T>(from: readonly T[]): T | undefined {
    return from[this.#chance(from.length)];
  }

  #makeMembers(kind: Kind): Partial<StoredRecord> {
    const taken = this.rows.filter((row) => row.kind === kind).map(({ record }) => record.ref);
    const ref = this.#pick(refs);
    return {
      name: this.#pick(names)!,
      ...(ref && !taken.includes(ref) && { ref }),
      ...(kind === 'placement' && {
        candidateId: this.#pick(this.rows)?.record.id ?? 'cand_none',
        jobOrderId: this.#pick(this.rows)?.record.id ?? 'job_none',
      }),
    };
  }

  compare(content: WorkspaceContent): void {
    compareContent(content, this.rows, this.deleted);
    compareReplies(content, this.replies, this.#expired);
  }

  /** Stores a reply, and drops those that have expired. */
  #keep(reply: Reply, now: number): void {
    this.#expired.push(...this.replies.flatMap(({ name, expiresAt }) => (expiresAt <= now ? name : [])));
    this.replies = this.replies.filter(({ name }) => !this.#expired.includes(name)).concat(reply);
  }

  /** Decides a random change of a few records, and compares what it reads after each step. */
  decide(change: Change, name: string, expiresAt: number): void {
    this.compare(change.workspace!);
    for (let steps = 1 + this.#chance(5); steps > 0; steps -= 1) {
      this.#draft(change);
      compareDraft(change, this.rows, this.deleted);
    }
    for (const row of this.rows) row.seq ??= this.lastSeq += 1;
    const { drafted, removed } = change;
    for (const { record, kind } of drafted) assert.equal(change.find(kind, record.id), record);
    for (const { record } of removed) assert.ok(this.deleted.includes(record.id));
    change.keptReply = 'é'.repeat(this.#chance(9));
    this.#keep({ name, expiresAt, bytes: Buffer.byteLength(change.keptReply) }, change.now);
  }

  #draft(change: Change): void {
    const row = this.#pick(this.rows);
    const action = this.#chance(10);
    if (!row || action < 5) {
      const kind = this.#pick(kinds)!;
      const record = toRecord({
        id: `${kind}_${this.rows.length + this.deleted.length}`,
        ...this.#makeMembers(kind),
      });
      this.rows.push({ kind, record });
      change.put(kind, record);
    } else if (action < 8) {
      const { ref: _, ...before } = row.record;
      const ref = this.#chance(2) === 0 && row.record.ref ? { ref: row.record.ref } : {};
      const record = { ...before, ...ref, ...this.#makeMembers(row.kind) } as StoredRecord;
      change.put(row.kind, record, change.workspace?.find(row.kind, record.id));
      row.record = record;
    } else if (row.seq !== undefined && !change.drafted.some(({ record }) => record.id === row.record.id)) {
      change.remove(change.findOwn(row.kind, row.record.id)!);
      this.rows = this.rows.filter((other) => other !== row);
      this.deleted.push(row.record.id);
    }
  }
}

/** Compares what a head counts with a plain list. */
function compareHead(workspace: Workspace, { rows, replies, lastSeq }: Listed): void {
  const { head } = workspace;
  assert.is(head.lastSeq, lastSeq);
  for (const kind of kinds) {
    const count = rows.filter((row) => row.kind === kind).length;
    assert.is(head.counts[kind] ?? 0, count);
    assert.is(workspace.count(kind), count);
  }
  const sizes = rows.map(({ record }) => Buffer.byteLength(JSON.stringify(record)));
  const bytes = [...sizes, ...replies.map((reply) => reply.bytes)].reduce((a, b) => a + b, 0);
  assert.is(head.bytes, bytes);
}

law('reads what a plain list has, in memory, while changes wait, and loaded again', async () => {
  for (let seed = 1; seed <= 6; seed += 1) {
    const tested = new TestedStore(new SqliteStore(':memory:'));
    const chance = toChance(seed);
    const listed = new Listed(seed);
    let now = Date.now();
    const { hash, write } = await make(tested, { now, expiresAt: now + 1_000_000 });
    await write({}, (draft) => draft.remove(draft.workspace!.list('candidate')[0]!));
    listed.lastSeq = 1;
    for (let round = 0; round < 12; round += 1) {
      const before = (await tested.open(hash, now))!.revision;
      const together = 1 + (round % 4);
      now += 10;
      const change = () => {
        const key = { name: toName(), fingerprint: toName() };
        const expiresAt = now + 1 + chance(40);
        const rule = (draft: Change) => listed.decide(draft, key.name, expiresAt);
        return tested.change(toChange(rule, { hash, mint: false, now, expiresAt, key }));
      };
      await Promise.all(Array.from({ length: together }, change));
      for (const isLoadedAgain of [false, true]) {
        if (isLoadedAgain) tested.workspaces.forgetAll();
        const workspace = (await tested.workspaces.open(hash))!;
        listed.compare(workspace);
        compareHead(workspace, listed);
        assert.is(workspace.head.revision, before + together);
      }
    }
  }
});

law.run();
