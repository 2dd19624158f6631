import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Kind, kinds } from '../../support/doors.ts';
import { client } from '../../support/front.ts';
import type { Body } from '../../support/http.ts';
import * as sandbox from '../../support/sandbox.ts';

const { dayFromNow, makeSandbox, refusedTool, toBody, unchanged } = sandbox;
const updates = suite('changes over MCP');
const toTool = (kind: Kind) => `update${kind[0]!.toUpperCase()}${kind.slice(1)}`;

/** A record of each kind with every possible member. */
const whole: Record<Kind, Body> = {
  candidate: toBody.candidate({
    title: 'Engineer',
    skills: ['SQL'],
    credentials: ['CDL A'],
    metro: 'Columbus, OH',
    shifts: ['day'],
    availableFrom: dayFromNow(3),
    payRateUsdHour: 40,
    salaryUsdYear: 80_000,
    workplaces: ['remote'],
    hoursPerWeek: 30,
    source: 'Referral',
    note: 'Likes trains.',
    ref: 'person',
  }),
  jobOrder: toBody.jobOrder({
    billRateUsdHour: 90,
    payRateUsdHour: 60,
    payRateMaxUsdHour: 70,
    salaryUsdYear: 120_000,
    salaryMaxUsdYear: 130_000,
    workplace: 'remote',
    hoursPerWeek: 30,
    contact: 'Pat Example',
    openings: 2,
    skills: ['SQL'],
    requires: ['CDL A'],
    metro: 'Austin, TX',
    shift: 'day',
    startDate: dayFromNow(3),
    endDate: dayFromNow(90),
    note: 'Urgent.',
    ref: 'order',
  }),
  placement: toBody.placement({
    startDate: dayFromNow(3),
    plannedEndDate: dayFromNow(90),
    billRateUsdHour: 90,
    payRateUsdHour: 60,
    hoursPerWeek: 30,
    feeModel: 'perm-fee',
    guaranteeDays: 30,
    note: 'Agreed.',
    ref: 'placed',
  }),
};
const { tools } = (await client.rpc('tools/list')).body.result;
const propertiesOf = (kind: Kind): Body =>
  tools.find(({ name }: Body) => name === toTool(kind)).inputSchema.properties;
/** Members that a record has only after a move. */
const ofMoves = ['endDate', 'endReason', 'declineReason'];

async function makeRecord(kind: Kind) {
  const collection = `${kind}s` as 'candidates' | 'jobOrders' | 'placements';
  const made = await makeSandbox(client, { [collection]: [whole[kind]] });
  const record: Body = made[collection][0];
  const read = async () => (await client.get(record.links.self, made.mine)).body[kind];
  const update = (args: object) =>
    client.tool(toTool(kind), { id: record.id, workspace: made.workspace, ...args });
  return { ...made, record, read, update };
}

/** Returns the members that the refusal of `clear` says it takes. */
async function listClearable(kind: Kind): Promise<string[]> {
  const { update } = await makeRecord(kind);
  const { issues } = refusedTool(await update({ clear: 7 }), 'invalid_request', ['clear']);
  return issues[0].message.split('; it takes ')[1].split(', ');
}

/** Returns the members of a record that its caller set. */
const givenOf = (kind: Kind, record: Body) =>
  Object.fromEntries(Object.keys(whole[kind]).map((name) => [name, record[name]]));

for (const kind of kinds) {
  for (const filler of [null, ''])
    updates(`${kind}: ${JSON.stringify(filler)} of every optional argument changes nothing`, async () => {
      const { update, read } = await makeRecord(kind);
      const names = Object.keys(propertiesOf(kind)).filter((name) => !['id', 'workspace'].includes(name));
      const { structuredContent } = await update(Object.fromEntries(names.map((name) => [name, filler])));
      assert.is(structuredContent.type, 'OK', JSON.stringify(structuredContent));
      assert.equal(givenOf(kind, await read()), whole[kind]);
    });

  updates(`${kind}: null beside a changed member leaves all others as they are`, async () => {
    const { update, read } = await makeRecord(kind);
    const names = Object.keys(whole[kind]).filter((name) => name !== 'note');
    const { structuredContent } = await update({
      ...Object.fromEntries(names.map((name) => [name, null])),
      note: 'New.',
    });
    assert.is(structuredContent.warnings, undefined);
    assert.equal(givenOf(kind, await read()), { ...whole[kind], note: 'New.' });
  });

  for (const name of Object.keys(whole[kind]).filter((one) => !(one in toBody[kind]())))
    updates(`${kind}: clear removes ${name} and nothing else`, async () => {
      const { update, read } = await makeRecord(kind);
      const { structuredContent } = await update({ clear: [name] });
      assert.is(structuredContent.type, 'OK', JSON.stringify(structuredContent));
      const { [name]: _, ...rest } = whole[kind];
      const { [name]: left, ...others } = givenOf(kind, await read());
      assert.is(left, { openings: 1, guaranteeDays: 90 }[name]);
      assert.equal(others, rest);
    });

  updates(`${kind}: clear takes every optional member`, async () => {
    const optional = Object.keys(whole[kind]).filter((name) => !(name in toBody[kind]()));
    const ofRecord = (await listClearable(kind)).filter(
      (name) => name in whole[kind] || !ofMoves.includes(name),
    );
    assert.equal(ofRecord.sort(), optional.sort());
  });

  updates(`${kind}: clear refuses a required member`, async () => {
    const made = await makeRecord(kind);
    const required = Object.keys(toBody[kind]());
    await unchanged(client, made, async () => {
      for (const name of required) {
        const { issues } = refusedTool(await made.update({ clear: [name] }), 'invalid_request', ['clear[0]']);
        assert.match(issues[0].message, `${name} cannot be removed`);
        assert.match(issues[0].message, 'it takes ');
      }
    });
  });

  updates(`${kind}: clear refuses an unknown member, and clears nothing`, async () => {
    const made = await makeRecord(kind);
    await unchanged(client, made, async () => {
      for (const name of [
        'nonesuch',
        'id',
        'status',
        'reason',
        'outcome',
        '__proto__',
        '',
        7,
        null,
        ['note'],
      ])
        refusedTool(await made.update({ clear: ['note', name] }), 'invalid_request', ['clear[1]']);
      for (const clear of ['note', 7, true, { note: true }])
        refusedTool(await made.update({ clear }), 'invalid_request', ['clear']);
      const all = [...(await listClearable(kind)), 'note'];
      refusedTool(await made.update({ clear: all }), 'invalid_request', ['clear']);
    });
  });

  updates(`${kind}: refuses a member that is both set and cleared`, async () => {
    const made = await makeRecord(kind);
    await unchanged(client, made, async () => {
      const sent = { note: 'New.', clear: ['note'] };
      const { issues } = refusedTool(await made.update(sent), 'invalid_request', ['clear[0]']);
      assert.match(issues[0].message, 'set and cleared');
    });
  });

  updates(`${kind}: HTTP keeps JSON Merge Patch, in which null removes`, async () => {
    const { record, mine, read } = await makeRecord(kind);
    assert.is((await client.patch(record.links.self, { note: null }, mine)).status, 200);
    assert.is((await read()).note, undefined);
  });
}

updates('a change of nothing but null or "" is answered with how to remove a member', async () => {
  const { update, read } = await makeRecord('candidate');
  for (const value of [null, '']) {
    const { structuredContent } = await update({ note: value, strict: true });
    assert.is(structuredContent.type, 'OK');
    const [{ code, path, message }] = structuredContent.warnings;
    assert.is(code, 'nothing_changed');
    assert.is(path, 'note');
    assert.match(message, 'clear: ["note"]');
  }
  assert.is((await read()).note, whole.candidate.note);
});

updates('a member can be cleared while another is set, and again while it is missing', async () => {
  const { update } = await makeRecord('candidate');
  const first = await update({ metro: 'Austin, TX', clear: ['note', 'title'] });
  assert.is(first.structuredContent.candidate.metro, 'Austin, TX');
  assert.is(first.structuredContent.candidate.note, undefined);
  const again = await update({ clear: '["note"]', note: null });
  assert.is(again.structuredContent.type, 'OK');
});

updates('the end of a placement can be cleared, as HTTP can remove it', async () => {
  const clearable = await listClearable('placement');
  for (const name of ofMoves) assert.ok(clearable.includes(name), name);
});

updates('only changes accept clear', async () => {
  const { structuredContent } = await client.tool('createCandidate', {
    ...toBody.candidate(),
    clear: ['note'],
  });
  assert.is(structuredContent.warnings[0].path, 'clear');
});

updates.run();
