import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Kind } from '../../support/doors.ts';
import type { Body } from '../../support/http.ts';
import { client } from '../../support/in-process.ts';
import { pluck } from '../../support/rows.ts';
import * as sandbox from '../../support/sandbox.ts';

const { dayFromNow, refused, refusedTool, toBody, unchanged } = sandbox;
const bad = suite('bad changes');
/** Makes a workspace with one record of each kind, none of which refers to another. */
let mine: sandbox.Sandbox;
let records: Record<Kind, Body>;
const kinds = ['candidate', 'jobOrder', 'placement'] as const;

bad.before(async () => {
  mine = await sandbox.makeSandbox(client, {
    candidates: [toBody.candidate({ metro: 'Columbus, OH', skills: ['Go'] })],
    jobOrders: [toBody.jobOrder({ billRateUsdHour: 90, openings: 2, metro: 'Austin, TX' })],
    placements: [toBody.placement({ startDate: dayFromNow(-10), feeModel: 'perm-fee' })],
  });
  records = { candidate: mine.candidates[0], jobOrder: mine.jobOrders[0], placement: mine.placements[0] };
});

const pathOf = (kind: Kind) => records[kind].links.self;

bad('refuses a merge patch that is not an object', () =>
  unchanged(client, mine, async () => {
    for (const type of ['application/json', 'application/merge-patch+json']) {
      const headers = { ...mine.mine, 'Content-Type': type };
      for (const kind of kinds) {
        for (const sent of ['[]', '[{"name":"B"}]', '"name"', '1', 'null', 'true'])
          refused(await client.patch(pathOf(kind), sent, headers), 400, 'not_an_object');
        for (const sent of ['', '{', '{"name":"B"}}'])
          refused(await client.patch(pathOf(kind), sent, headers), 400, 'invalid_json');
      }
    }
  }),
);

bad('refuses to change members that the service sets', () =>
  unchanged(client, mine, async () => {
    for (const kind of kinds) {
      const derived = ['id', 'links', 'createdAt', 'updatedAt', 'revision', 'transitions', 'example'];
      if (kind === 'placement') derived.push('outcome');
      for (const value of [undefined, null, 'x']) {
        const sent = derived.map((name) => [name, value === undefined ? records[kind][name] : value]);
        const answer = await client.patch(pathOf(kind), Object.fromEntries(sent), mine.mine);
        const { issues } = refused(answer, 400, 'invalid_request');
        assert.equal(pluck(issues, 'path').sort(), derived.toSorted());
        for (const { message } of issues) assert.match(message, /leave it out/);
      }
    }
  }),
);

const optional: Record<Kind, Record<string, unknown>> = {
  candidate: { ref: 'a', skills: ['Go'], metro: 'Columbus, OH' },
  jobOrder: { ref: 'a', skills: ['Go'], metro: 'Columbus, OH', billRateUsdHour: 80, openings: 3 },
  placement: { ref: 'a', startDate: dayFromNow(-9), feeModel: 'other' },
};

bad('refuses null for a required member and names it', () =>
  unchanged(client, mine, async () => {
    for (const kind of kinds) {
      for (const name of Object.keys(toBody[kind]())) {
        const answer = await client.patch(pathOf(kind), { [name]: null, metro: null }, mine.mine);
        const { issues } = refused(answer, 400, 'invalid_request');
        assert.ok(pluck(issues, 'path').includes(name), answer.text);
      }
    }
  }),
);

bad('null removes an optional member, and members that are not named stay', async () => {
  for (const kind of kinds) {
    const path = pathOf(kind);
    const given = (await client.patch(path, optional[kind], mine.mine)).body[kind];
    for (const [name, value] of Object.entries(optional[kind])) assert.equal(given[name], value, name);
    for (const name of Object.keys(optional[kind])) {
      const { status, body, text } = await client.patch(path, { [name]: null }, mine.mine);
      assert.is(status, 200, text);
      assert.is(body[kind][name], name === 'openings' ? 1 : undefined, `${kind} ${name}`);
      for (const [other, value] of Object.entries(toBody[kind]())) assert.is(body[kind][other], value);
    }
  }
});

const wrong: [Kind, Body, string][] = [
  ['candidate', { status: [5] }, 'status'],
  ['placement', { declineReason: 'client' }, 'declineReason'],
  ['placement', { endDate: dayFromNow(0) }, 'endReason'],
  ['placement', { endReason: 'other' }, 'endDate'],
  ['placement', { endReason: 'other', endDate: null }, 'endDate'],
  ['placement', { status: 'completed', endReason: 'finished' }, 'endDate'],
  ['placement', { status: 'ended-early', endReason: 'other' }, 'endDate'],
  ['placement', { status: 'ended-early', endDate: dayFromNow(0) }, 'endReason'],
  ['placement', { ...sandbox.ending, endDate: dayFromNow(2) }, 'endDate'],
  ['placement', { ...sandbox.ending, endDate: dayFromNow(-11), startDate: dayFromNow(-10) }, 'endDate'],
  ['placement', { ...sandbox.ending, endDate: '2026-02-31' }, 'endDate'],
  ['placement', { ...sandbox.ending, endReason: 'bored' }, 'endReason'],
];

bad('refuses a wrong value and names it', () =>
  unchanged(client, mine, async () => {
    for (const [kind, sent, path] of wrong)
      refused(await client.patch(pathOf(kind), sent, mine.mine), 400, 'invalid_request', [path]);
  }),
);

bad('refuses an old version, and accepts the current one', async () => {
  const path = pathOf('candidate');
  const now = (await client.get(path, mine.mine)).headers.get('etag')!;
  const send = (field: string, name = 'Bea') =>
    client.patch(path, { name }, { ...mine.mine, 'If-Match': field });
  await unchanged(client, mine, async () => {
    refused(await send('"stale"'), 412, 'changed');
    refused(await client.delete(path, { ...mine.mine, 'If-Match': '"stale"' }), 412, 'changed');
  });
  const first = await send(now);
  assert.is(first.status, 200);
  refused(await send(now), 412, 'changed');
  assert.is((await send(first.headers.get('etag')!, 'Cleo')).status, 200);
  assert.is((await send('*', 'Dora')).status, 200);
});

bad('refuses another revision from a tool, and accepts the current one', async () => {
  const { candidate } = (await client.get(pathOf('candidate'), mine.mine)).body;
  const { id, revision: now } = candidate;
  const update = (revision: unknown) =>
    client.tool('updateCandidate', { id, name: 'Eva', revision, workspace: mine.workspace });
  await unchanged(client, mine, async () => {
    for (const revision of [0, -1, now - 1, now + 1]) refusedTool(await update(revision), 'changed');
    refusedTool(await update('first'), 'invalid_request', ['revision']);
  });
  assert.is((await update(now)).structuredContent.candidate.name, 'Eva');
});

bad('refuses a weak tag as such, also if nothing has changed', async () => {
  const path = pathOf('candidate');
  const now = (await client.get(path, mine.mine)).headers.get('etag')!;
  const headers = { ...mine.mine, 'If-Match': `W/${now}` };
  await unchanged(client, mine, async () => {
    for (const answer of [
      await client.patch(path, { name: 'Bea' }, headers),
      await client.delete(path, headers),
      await client.delete('/workspace', headers),
    ]) {
      const { reason } = refused(answer, 412, 'weak_tag');
      assert.match(reason, /If-Match needs a strong tag/);
    }
  });
});

bad('a record that reads differently is another version, even if another record changed', async () => {
  const path = pathOf('candidate');
  const ETag = (await client.get(path, mine.mine)).headers.get('etag')!;
  const sent = toBody.placement({ candidateId: records.candidate.id });
  const placed = await client.post('/placements', sent, mine.mine);
  refused(await client.patch(path, { name: 'Eva' }, { ...mine.mine, 'If-Match': ETag }), 412, 'changed');
  assert.is((await client.delete(placed.body.placement.links.self, mine.mine)).status, 200);
  const free = await client.patch(path, { name: 'Eva' }, { ...mine.mine, 'If-Match': ETag });
  assert.is(free.status, 200, 'it reads as before');
});

bad.run();
