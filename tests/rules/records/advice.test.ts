import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Body } from '../../support/http.ts';
import { client } from '../../support/in-process.ts';
import { dayFromNow, makeSandbox, strict, toBody } from '../../support/sandbox.ts';

const advice = suite('advice on duplicates and days');

const listCodes = ({ warnings = [] }: Body, wanted: string) =>
  warnings.filter(({ code }: Body) => code === wanted).map(({ path }: Body) => path);

const ann = { name: 'Ann Müller', metro: 'Columbus, OH', title: 'Welder' };

/** Other people, and whether each may be the same as Ann. */
const people: [other: object, isSame: boolean][] = [
  [{ name: 'Ann Müller' }, true],
  [{ name: ' ann  MULLER' }, true],
  [{ name: 'AnnMuller', metro: 'columbus, oh', title: 'WELDER' }, true],
  [{ name: 'Ann Müller', metro: 'Columbus' }, true],
  [{ name: 'Ann Müller', metro: 'Ohio' }, true],
  [{ name: 'Ann Müller', metro: 'Cleveland, OH' }, false],
  [{ name: 'Ann Müller', metro: 'Austin, TX' }, false],
  [{ name: 'Ann Müller', title: 'Nurse' }, true],
  [{ name: 'Müller, Ann' }, true],
  [{ name: 'Ann M. Müller' }, true],
  [{ name: 'Muller, Ann M' }, true],
  [{ name: 'Ann-Muller' }, true],
  [{ name: "Ann Mu'ller" }, true],
  [{ name: 'Ann Mülle' }, false],
  [{ name: 'Anna Müller' }, false],
];

advice('names a candidate of the same name who may be the same person', async () => {
  const { mine, candidates } = await makeSandbox(client, { candidates: [toBody.candidate(ann)] });
  for (const [other, isSame] of people) {
    const what = JSON.stringify(other);
    const { body } = await client.post('/candidates', toBody.candidate(other), { ...mine, ...strict });
    assert.is(body.type, 'OK', 'advice refuses nothing');
    assert.equal(listCodes(body, 'possible_duplicate'), isSame ? ['name'] : [], what);
    if (isSame) assert.match(body.warnings[0].message, candidates[0]!.id);
    await client.delete(body.candidate.links.self, mine);
  }
});

advice('names a duplicate within a batch, and one that a change makes', async () => {
  const batch = { candidates: [toBody.candidate(ann), toBody.candidate({ name: 'ANN MULLER' })] };
  const { body } = await client.post('/batch', batch);
  assert.equal(listCodes(body, 'possible_duplicate'), ['candidates[1].name']);
  assert.match(body.warnings[0].message, body.candidates[0].id);
  const mine = { 'X-Workspace': body.workspace };
  const { self } = body.candidates[1].links;
  const change = async (sent: object) =>
    listCodes((await client.patch(self, sent, mine)).body, 'possible_duplicate');
  assert.equal(await change({ note: 'x' }), [], 'it is known already');
  assert.equal(await change({ name: 'Bea Fox' }), []);
  assert.equal(await change({ name: 'Ann Muller' }), ['name']);
  assert.equal(await change({ metro: 'Austin, TX' }), []);
  assert.equal(await change({ metro: null }), ['name']);
});

advice('does not look for duplicates in the seed or in another workspace', async () => {
  const { candidates } = (await client.get('/candidates?limit=1')).body;
  const { body } = await client.post('/candidates', toBody.candidate({ name: candidates[0].name }));
  assert.equal(listCodes(body, 'possible_duplicate'), []);
});

/** Days of an order and of a placement, counted from today, and what is outside. */
const days: [order: object, placement: object, paths: string[]][] = [
  [{ startDate: 10, endDate: 40 }, { startDate: 10, plannedEndDate: 40 }, []],
  [{ startDate: 10, endDate: 40 }, { startDate: 9, plannedEndDate: 41 }, ['startDate', 'plannedEndDate']],
  [{ startDate: 10, endDate: 40 }, { startDate: 41 }, ['startDate']],
  [{ startDate: 10 }, { startDate: 5, plannedEndDate: 400 }, ['startDate']],
  [{ endDate: 40 }, { startDate: 5, plannedEndDate: 400 }, ['plannedEndDate']],
  [{ startDate: 10, endDate: 40 }, {}, []],
  [{}, { startDate: 5, plannedEndDate: 400 }, []],
];

const toDays = (all: object) =>
  Object.fromEntries(Object.entries(all).map(([name, count]) => [name, dayFromNow(count)]));

advice('names the days of a placement outside those of its order', async () => {
  for (const [order, placement, paths] of days)
    for (const status of ['proposed', undefined]) {
      const { mine } = await makeSandbox(client, {
        candidates: [toBody.candidate({ ref: 'a' })],
        jobOrders: [toBody.jobOrder({ ref: 'job', openings: 5, ...toDays(order) })],
      });
      const what = JSON.stringify([order, placement, status]);
      const body = { jobOrderId: '#job', status, ...toDays(placement) };
      const made = await client.post('/placements', toBody.placement({ ...body, candidateId: '#a' }), mine);
      assert.equal(listCodes(made.body, 'outside_order'), paths, what);
    }
});

/** Creates a placement that starts before the order does. Returns the reply and how to change the placement. */
async function makeEarly(status?: 'proposed') {
  const { mine } = await makeSandbox(client, {
    candidates: [toBody.candidate({ ref: 'who' })],
    jobOrders: [toBody.jobOrder({ ref: 'job', startDate: dayFromNow(10), endDate: dayFromNow(40) })],
  });
  const ids = { candidateId: '#who', jobOrderId: '#job' };
  const sent = toBody.placement({ ...ids, status, startDate: dayFromNow(-5) });
  const { body } = await client.post('/placements', sent, mine);
  const { self } = body.placement.links;
  const change = async (values: object) => (await client.patch(self, values, mine)).body;
  const state = async (result: string) => (await client.post(`${self}/outcome`, { result }, mine)).body;
  return { body, change, state };
}

advice('names the days outside the order again if a change sets them or accepts the placement', async () => {
  const { body, change } = await makeEarly('proposed');
  assert.equal(listCodes(body, 'outside_order'), ['startDate']);
  assert.equal(listCodes(await change({ note: 'x' }), 'outside_order'), []);
  assert.equal(listCodes(await change({ startDate: dayFromNow(-4) }), 'outside_order'), ['startDate']);
  assert.equal(listCodes(await change({ status: 'scheduled' }), 'outside_order'), ['startDate']);
});

advice('says nothing of days outside the order when an outcome is stated', async () => {
  const { body, state } = await makeEarly();
  assert.equal(listCodes(body, 'outside_order'), ['startDate']);
  for (const result of ['attrited', 'converted', 'retained', 'attrited'])
    assert.equal(listCodes(await state(result), 'outside_order'), [], result);
});

advice.run();
