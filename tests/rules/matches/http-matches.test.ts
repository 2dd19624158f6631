import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { matching } from '../../../scripts/matching.ts';
import type { Body } from '../../support/http.ts';
import { carpenters, client, critical, holdEmpty, order, person, registered } from '../../support/matches.ts';
import { pluck } from '../../support/rows.ts';

const onlyMine = 'scope=workspace&limit=200';
const points = matching.points as Record<'occupation' | 'skills' | 'metro', number>;
const matches = suite('matches over HTTP');

const sumOf = ({ reasons }: Body) => reasons.reduce((sum: number, one: Body) => sum + one.points, 0);
const toIds = (rows: Body[]) => rows.map(({ candidate }) => candidate.id);
const today = () => new Date().toISOString().slice(0, 10);

matches('an order ranks people by how close their occupations are, and gives reasons', async () => {
  const { candidates, jobOrders, mine } = await client.make({
    // The worst is created first, so that age does not explain the order.
    candidates: [person(carpenters, { skills: ['Framing'] }), person(), person(registered)],
    jobOrders: [order],
  });
  const { body } = await client.matches(jobOrders[0].links.self, 'scope=workspace', mine);
  assert.equal(
    toIds(body.matches),
    [1, 2, 0].map((at) => candidates[at].id),
  );
  const [same, near, far] = body.matches;
  const reasonOf = ({ reasons }: Body, factor: string) => reasons.find((one: Body) => one.factor === factor);
  for (const [factor, text] of [
    ['occupation', 'is of the same occupation, Critical Care Nurses'],
    ['skills', 'has 1 of the 1 skill asked for: ICU'],
    ['metro', 'is in Columbus, OH, where the order is'],
  ] as const)
    assert.equal(reasonOf(same, factor), { factor, points: points[factor], text });
  assert.is(same.score, 100);
  assert.equal(same.gaps, []);
  assert.match(near.reasons[0].text, /^Registered Nurses is close to Critical Care Nurses \(0\.\d\d of 1\)$/);
  assert.ok(
    near.reasons[0].points > points.occupation / 2 && near.reasons[0].points < points.occupation,
    String(near.reasons[0].points),
  );
  assert.equal(near.gaps, ['the order is for Critical Care Nurses, not for Registered Nurses']);
  assert.equal(far.gaps, [
    'Carpenters is not related to Critical Care Nurses',
    'lacks 1 of the 1 skill asked for: ICU',
  ]);
  assert.is(reasonOf(far, 'occupation'), undefined);
  assert.is(reasonOf(far, 'skills'), undefined);
  assert.is(reasonOf(far, 'metro').points, points.metro);
  for (const one of body.matches) assert.is(one.score, sumOf(one));
  assert.match(body.statement, /no hiring decision: a person decides. See \/guides\/matching.html/);
  assert.is(body.total, 3);
  const { id, name, onetCode, metro, status, links } = candidates[1];
  const told = { id, name, onetCode, metro, status, example: false, links: { self: links.self } };
  assert.equal(same.candidate, told, 'the record in short');
});

matches('a record that is unknown, deleted, or of another kind or workspace is 404 EMPTY', async () => {
  const page = { candidates: [person()], jobOrders: [order] };
  const [one, other] = [await client.make(page), await client.make(page)];
  for (const [rows, noun, unknown, wrong] of [
    ['candidates', 'candidate', '/candidates/cand_none', '/candidates/job_001'],
    ['jobOrders', 'job order', '/job-orders/job_none', '/job-orders/cand_001'],
  ] as const) {
    const none = new RegExp(`No ${noun} has this id in view|here belongs that of a ${noun}`);
    const { self } = one[rows][0].links;
    assert.is((await client.matches(self, '', one.mine)).status, 200);
    const paths = [unknown, wrong, self];
    for (const path of paths) {
      holdEmpty(await client.matches(path), 404, none);
      holdEmpty(await client.matches(path, 'limit=3', other.mine), 404, none);
    }
    assert.is((await client.delete(self, one.mine)).status, 200);
    holdEmpty(await client.matches(self, '', one.mine), 404, none);
  }
});

matches('a closed order and a withdrawn candidate are EMPTY, and say why', async () => {
  const { candidates, jobOrders, mine } = await client.make({ candidates: [person()], jobOrders: [order] });
  for (const [path, status, back] of [
    [jobOrders[0].links.self, 'closed', 'open'],
    [candidates[0].links.self, 'withdrawn', 'available'],
  ] as const) {
    await client.patch(path, { status }, mine);
    const answer = await client.matches(path, '', mine);
    holdEmpty(answer, 200, new RegExp(`is ${status}, so nothing is matched`));
    assert.is(answer.body.total, 0);
    await client.patch(path, { status: back }, mine);
    assert.ok((await client.ranked(path, '', mine)).length > 0);
  }
});

matches('leaves out people who are withdrawn or deleted, and ranks placed ones last', async () => {
  const people = { candidates: Array.from({ length: 4 }, () => person()) };
  const { candidates, jobOrders, mine } = await client.make({ ...people, jobOrders: [order] });
  const other = await client.make(people);
  const [placed, withdrawn, deleted, free] = candidates;
  const path = jobOrders[0].links.self;
  const shown = async (query = onlyMine) => toIds(await client.ranked(path, query, mine)).sort();
  assert.equal(await shown(), pluck(candidates, 'id').sort());

  const sent = { candidateId: placed.id, jobOrderId: 'job_001', onetCode: critical };
  const placement = (await client.post('/placements', sent, mine)).body.placement;
  await client.patch(withdrawn.links.self, { status: 'withdrawn' }, mine);
  await client.delete(deleted.links.self, mine);
  const ranked = await client.ranked(path, onlyMine, mine);
  assert.equal(toIds(ranked), [free.id, placed.id]);
  assert.match(ranked[1].unmet.join(), /^is placed already on \d{4}-\d\d-\d\d, by a placement from/);
  const all = await shown('limit=200');
  for (const one of [withdrawn, deleted, ...other.candidates]) assert.not(all.includes(one.id));
  assert.ok(all.length > 1, 'the seed shows beside it');
  assert.equal(await shown(`${onlyMine}&status=placed`), [placed.id]);
  assert.equal(await shown(`${onlyMine}&status=withdrawn`), [withdrawn.id]);

  const end = { status: 'ended-early', endDate: today(), endReason: 'cancelled' };
  assert.is((await client.patch(placement.links.self, end, mine)).status, 200);
  assert.equal(await shown(), [placed.id, free.id].sort());
});

matches.run();
