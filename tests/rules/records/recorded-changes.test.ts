import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { mint, toRevisions } from '../../support/activity.ts';
import { makeCore } from '../../support/core.ts';
import type { Body } from '../../support/http.ts';
import { pluck } from '../../support/rows.ts';
import { toBody } from '../../support/sandbox.ts';

const entries = suite('an entry of the activity, of what changed');
const core = makeCore();

/** Returns a list of skills of one entry's size, with a mark. */
const skillsOf = (mark: string) => Array.from({ length: 50 }, (_, at) => `${mark}${at}${'😀'.repeat(60)}`);

entries('tells a change that has no room for its values without them', async () => {
  const { id, patch, newest } = await mint(core);
  await patch({ skills: skillsOf('a'), title: 'Nurse' });
  const { changes, moreChanges } = await newest();
  assert.equal(
    changes.find(({ member }: Body) => member === 'skills'),
    { id, member: 'skills' },
  );
  assert.ok(changes.some(({ to }: Body) => to === 'Nurse'));
  assert.is(moreChanges, undefined);
});

entries('tells at most 40 changes in 4 kB, and counts the others', async () => {
  const { workspace, post, newest } = await mint(core);
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
  const head = (await core.service.openWorkspace(workspace, {})) as { hash: string };
  const [stored] = await core.store.readActivity((await core.store.open(head.hash))!, { limit: 1 });
  assert.ok(Buffer.byteLength(JSON.stringify(stored)) <= 4096);
  assert.ok((entry.changes ?? []).length <= 40);
  assert.is((entry.changes ?? []).length + entry.moreChanges, 60);
});

const repeated = { metro: 'Reno, NV', skills: ['Go'] };

entries('is not made for a change that changes nothing, and neither is a revision', async () => {
  const { path, patch, post, read, id, mine } = await mint(core);
  await patch(repeated);
  const same = await patch({ ...repeated, reason: 'again', note: null });
  assert.equal(pluck(same.body.warnings, 'code'), ['not_taken']);
  await post('/batch', { changes: [{ id, ...repeated }] });
  assert.equal(toRevisions((await read()).body), [2, 1]);
  assert.is((await core.ask('GET', path, undefined, mine)).body.candidate.revision, 2);
});

entries('keeps why, from which day, and who asked', async () => {
  const { patch, newest } = await mint(core);
  const said = { reason: 'The client extended', effectiveDate: '2027-02-01' };
  await patch({ title: 'Nurse', ...said }, { 'x-actor': 'Zo%C3%AB Hart' });
  const { reason, effectiveDate, actor } = await newest();
  assert.equal({ reason, effectiveDate }, said);
  assert.is(actor, 'Zoë Hart');
});

entries('keeps the reason of each change of a batch', async () => {
  const { id, post, newest } = await mint(core);
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
  const { path, mine, patch, read, newest } = await mint(core);
  await patch({ metro: 'Reno, NV', reason: 'private reason' });
  await core.ask('DELETE', `${path}?reason=Duplicate`, undefined, mine);
  assert.is((await newest()).reason, 'Duplicate');
  assert.not.match((await read()).text, /private reason|Reno|Ann/);
});

const badRemarks: [what: string, sent: object, headers: object, path: string][] = [
  ['a reason of 201 characters', { reason: 'x'.repeat(201) }, {}, 'reason'],
  ['a day that does not exist', { effectiveDate: '2026-02-31' }, {}, 'effectiveDate'],
  ['an actor with a control character', {}, { 'x-actor': 'Dana%00' }, 'X-Actor'],
  ['an actor that is no percent-encoding', {}, { 'x-actor': '50% Dana' }, 'X-Actor'],
  ['an actor that is not encoded', {}, { 'x-actor': 'Zo\u00eb' }, 'X-Actor'],
  ['an actor of 81 characters', {}, { 'x-actor': 'x'.repeat(81) }, 'X-Actor'],
];
for (const [what, sent, headers, path] of badRemarks)
  entries(`refuses ${what}`, async () => {
    const { patch } = await mint(core);
    const { status, body } = await patch({ title: 'Nurse', ...sent }, headers);
    assert.is(status, 400);
    assert.equal(pluck(body.issues, 'path'), [path]);
  });

entries('keeps the actor that a tool names, as it is', async () => {
  const { id, workspace, newest } = await mint(core);
  await core.tool('updateCandidate', { workspace, id, title: 'Nurse', actor: 'Zoë 100%' });
  assert.is((await newest()).actor, 'Zoë 100%');
});

entries.run();
