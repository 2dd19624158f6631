import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { mint, toRevisions } from '../../support/activity.ts';
import type { Body } from '../../support/http.ts';
import { pluck } from '../../support/rows.ts';
import { toBody } from '../../support/sandbox.ts';
import { World } from '../../support/world.ts';

const entries = suite('an entry of the activity, of what changed');
const world = new World();

entries('tells at most 40 changes in 4 kB, and counts the others', async () => {
  const { workspace, post, newest } = await mint(world);
  const candidates = Array.from({ length: 20 }, (_, at) =>
    toBody.candidate({ name: '😀'.repeat(99), ref: `c${at}` }),
  );
  await post('/batch', { candidates });
  const changes = candidates.map(({ ref }) => ({
    id: `#${ref}`,
    title: '😀'.repeat(200),
    metro: 'Reno, NV',
    payRateUsdHour: 9,
  }));
  await post('/batch', { changes });
  const entry = await newest();
  const head = (await world.service.openWorkspace(workspace, {})) as { hash: string };
  const [stored] = await world.store.readActivity((await world.store.open(head.hash))!, { limit: 1 });
  assert.ok(Buffer.byteLength(JSON.stringify(stored)) <= 4096);
  assert.ok((entry.changes ?? []).length <= 40);
  assert.is((entry.changes ?? []).length + entry.moreChanges, 60);
});

const repeated = { metro: 'Reno, NV', skills: ['Go'] };

entries('is not made for a change that changes nothing, and neither is a revision', async () => {
  const { path, patch, post, read, id, mine } = await mint(world);
  await patch(repeated);
  const same = await patch({ ...repeated, reason: 'again', note: null });
  assert.equal(pluck(same.body.warnings, 'code'), ['not_taken']);
  await post('/batch', { changes: [{ id, ...repeated }] });
  assert.equal(toRevisions((await read()).body), [2, 1]);
  assert.is((await world.get(path, mine)).body.candidate.revision, 2);
});

for (const way of ['a PATCH', 'a batch'])
  entries(`is not made for ${way} that changes nothing, and what it says is not taken`, async () => {
    const made = await mint(world);
    await made.patch({ title: 'Nurse' });
    const [send] = waysToChange[way]!;
    const { type, warnings } = await send(made, { reason: 'again', effectiveDate: '2027-02-01' });
    assert.is(type, 'OK');
    assert.equal(pluck(warnings, 'code'), ['not_taken', 'not_taken']);
    assert.equal(toRevisions((await made.read()).body), [2, 1]);
  });

entries('keeps why, from which day, and who asked', async () => {
  const { patch, newest } = await mint(world);
  const said = { reason: 'The client extended', effectiveDate: '2027-02-01' };
  await patch({ title: 'Nurse', ...said }, { 'x-actor': 'Zo%C3%AB Hart' });
  const { reason, effectiveDate, actor } = await newest();
  assert.equal({ reason, effectiveDate }, said);
  assert.is(actor, 'Zoë Hart');
});

entries('keeps the reason of each change of a batch', async () => {
  const { id, post, newest } = await mint(world);
  const other = (await post('/candidates', toBody.candidate({ name: 'Bo Sample' }))).body.candidate.id;
  const changeWith = (first: string, second: string, title: string) =>
    post('/batch', {
      changes: [
        { id, title, reason: first },
        { id: other, title, reason: second },
      ],
    });
  await changeWith('one', 'two', 'Nurse');
  const own = await newest();
  assert.equal(pluck(own.records, 'reason'), ['one', 'two']);
  assert.not('reason' in own);
  await changeWith('both', 'both', 'Driver');
  assert.is((await newest()).reason, 'both');
});

entries('keeps the reason of a deletion, and none of what was deleted', async () => {
  const { path, mine, patch, read, newest } = await mint(world);
  await patch({ metro: 'Reno, NV', reason: 'private reason' });
  await world.delete(`${path}?reason=Duplicate`, mine);
  assert.is((await newest()).reason, 'Duplicate');
  assert.not.match((await read()).text, /private reason|Reno|Ann/);
});

type Made = Awaited<ReturnType<typeof mint>>;
interface Remarked {
  reason?: string;
  effectiveDate?: string;
  actor?: string;
}

const toHeader = ({ actor }: Remarked) =>
  actor === undefined ? {} : { 'x-actor': encodeURIComponent(actor) };
const withoutActor = ({ actor: _, ...sent }: Remarked) => sent;

/** Each way to change or delete a record, and the path at which a refusal names a member of the change. */
const waysToChange: Record<string, [send: (made: Made, sent: Remarked) => Promise<Body>, at: string]> = {
  'a PATCH': [
    async ({ patch }, sent) => (await patch({ title: 'Nurse', ...withoutActor(sent) }, toHeader(sent))).body,
    '',
  ],
  'a batch': [
    async ({ id, mine }, sent) => {
      const changes = [{ id, title: 'Nurse', ...withoutActor(sent) }];
      return (await world.post('/batch', { changes }, { ...mine, ...toHeader(sent) })).body;
    },
    'changes[0].',
  ],
  'a DELETE': [
    async ({ path, mine }, sent) => {
      const query = new URLSearchParams({ ...withoutActor(sent) });
      return (await world.delete(`${path}?${query}`, { ...mine, ...toHeader(sent) })).body;
    },
    '',
  ],
};

const badRemarks: [what: string, sent: Remarked][] = [
  ['a reason of 201 characters', { reason: 'x'.repeat(201) }],
  ['a reason with a control character', { reason: 'a\u0007b' }],
  ['a day that does not exist', { effectiveDate: '2026-02-31' }],
  ['a day in words', { effectiveDate: 'soon' }],
  ['an actor with a control character', { actor: 'Dana\u0000' }],
  ['an actor with a line break', { actor: 'Da\nna' }],
  ['an actor of 81 characters', { actor: 'x'.repeat(81) }],
];
for (const [way, [send, at]] of Object.entries(waysToChange))
  for (const [what, sent] of badRemarks) {
    const [member] = Object.keys(sent);
    // A delete counts from the day of its call.
    if (member === 'effectiveDate' && /delete/i.test(way)) continue;
    entries(`refuses ${what} in ${way}, and changes nothing`, async () => {
      const made = await mint(world);
      const { type, issues } = await send(made, sent);
      assert.is(type, 'BLOCKED');
      assert.equal(pluck(issues, 'path'), [member === 'actor' ? 'X-Actor' : at + member]);
      assert.equal(toRevisions((await made.read()).body), [1]);
    });
  }

for (const [what, actor] of [
  ['is no percent-encoding', '50% Dana'],
  ['is not encoded', 'Zo\u00eb'],
])
  entries(`refuses the header X-Actor that ${what}`, async () => {
    const { patch } = await mint(world);
    const { status, body } = await patch({ title: 'Nurse' }, { 'x-actor': actor });
    assert.is(status, 400);
    assert.equal(pluck(body.issues, 'path'), ['X-Actor']);
  });

entries('keeps the actor that a tool names, as it is', async () => {
  const { id, workspace, newest } = await mint(world);
  await world.tool('updateCandidate', { workspace, id, title: 'Nurse', actor: 'Zoë 100%' });
  assert.is((await newest()).actor, 'Zoë 100%');
});

entries.run();
