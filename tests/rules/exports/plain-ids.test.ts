import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Body } from '../../support/http.ts';
import { RandomDesk, readExport } from '../../support/random-desk.ts';
import { toBody } from '../../support/sandbox.ts';
import { World } from '../../support/world.ts';

const plain = suite('plain ids in an export and a batch');
const world = new World();

const toNames = (rows: Body[]) =>
  rows.map(({ candidateName, client, title }) => [candidateName, client, title].join('|')).sort();

for (const limit of [1, 7, 200])
  plain(`an export in pages of ${limit} joins the same people and orders again`, async () => {
    const desk = new RandomDesk(world, limit);
    for (const kind of ['candidate', 'jobOrder', 'candidate', 'placement', 'placement', 'placement'] as const)
      await desk.create(kind);
    const [person] = [...(await desk.readAll()).values()];
    await desk.ask('PATCH', person!.links.self, { ref: 'own-ref' });
    const before = [...(await desk.readAll()).values()].filter(({ id }) => id.startsWith('plc_'));

    let headers = {};
    for (const page of await readExport(world, desk.workspace, limit)) {
      for (const { candidateId } of page.placements) assert.match(candidateId, /^cand_/);
      const { status, text, body } = await world.ask('POST', '/batch', page, headers);
      assert.is(status, 201, text);
      headers = { 'x-workspace': body.workspace ?? Object.values(headers)[0] };
    }
    const { body } = await world.ask('GET', '/placements?limit=100', undefined, headers);
    assert.equal(toNames(body.placements), toNames(before));
  });

plain('a batch resolves the id of a record that it brings', async () => {
  const { body } = await world.ask('POST', '/batch', {
    candidates: [toBody.candidate({ id: 'cand_one', name: 'Ann Sample' })],
    jobOrders: [toBody.jobOrder({ id: 'job_one' })],
    placements: [toBody.placement({ candidateId: 'cand_one', jobOrderId: 'job_one', status: 'proposed' })],
  });
  assert.is(body.placements[0].candidateName, 'Ann Sample');
  assert.is.not(body.candidates[0].id, 'cand_one');
});

/** How the placements of a batch can name the people and orders that come with them. */
const forms: [form: string, name: (record: Body) => string][] = [
  ['plain ids', ({ id }) => id],
  ['ids behind #, as earlier exports have them', ({ id, ref }) => `#${ref ?? id}`],
];
for (const [form, name] of forms)
  plain(`a page of an export is taken with ${form}`, async () => {
    const desk = new RandomDesk(world, 3);
    for (const kind of ['candidate', 'jobOrder', 'placement'] as const) await desk.create(kind);
    const [page] = await readExport(world, desk.workspace, 200);
    const [person, order] = [page!.candidates[0], page!.jobOrders[0]];
    const pair = { candidateId: name(person), jobOrderId: name(order) };
    const sent = { ...page, placements: [{ ...page!.placements[0], ...pair }] };
    const { body } = await world.ask('POST', '/batch', sent);
    const copy = body.placements[0];
    assert.equal([copy.candidateName, copy.client], [person.name, order.client]);
  });

plain('a batch refuses an id that two of its records have', async () => {
  const candidates = [1, 2].map(() => toBody.candidate({ id: 'cand_one' }));
  const { status, body } = await world.ask('POST', '/batch', { candidates });
  assert.is(status, 400);
  assert.is(body.issues[0].path, 'candidates[1].id');
});

plain('a second proposal of a pair names the first', async () => {
  const { body, status } = await world.ask('POST', '/batch', {
    candidates: [toBody.candidate({ ref: 'a' })],
    jobOrders: [toBody.jobOrder({ ref: 'o' })],
    placements: [toBody.placement({ candidateId: '#a', jobOrderId: '#o', status: 'proposed' })],
  });
  assert.is(status, 201);
  const sent = toBody.placement({ candidateId: '#a', jobOrderId: '#o', status: 'proposed' });
  const { workspace } = body;
  const again = await world.ask('POST', '/placements', sent, { 'x-workspace': workspace });
  const warning = again.body.warnings.find(({ code }: Body) => code === 'already_proposed');
  assert.match(warning.message, body.placements[0].id);
});

plain(
  'what refuses any move of a declined placement has the body that proposes the person again',
  async () => {
    const { body } = await world.ask('POST', '/batch', {
      candidates: [toBody.candidate({ ref: 'a' })],
      jobOrders: [toBody.jobOrder({ ref: 'o' })],
      placements: [toBody.placement({ candidateId: '#a', jobOrderId: '#o', status: 'declined' })],
    });
    const mine = { 'x-workspace': body.workspace };
    const refused = await world.ask('PATCH', body.placements[0].links.self, { status: 'proposed' }, mine);
    assert.is(refused.body.code, 'illegal_transition');
    const sent = /POST \/placements \(createPlacement\) (\{.*\})/.exec(refused.body.reason)![1]!;
    assert.is((await world.ask('POST', '/placements', JSON.parse(sent), mine)).status, 201);
  },
);

plain('a tool shows the cursor of the next page before its rows', async () => {
  const { workspace } = (
    await world.ask('POST', '/batch', {
      candidates: Array.from({ length: 30 }, (_, at) => toBody.candidate({ name: `Person ${at}` })),
    })
  ).body;
  for (const name of ['listCandidates', 'exportWorkspace']) {
    const { structuredContent, content } = await world.tool(name, { workspace, limit: 5 });
    assert.is(Object.keys(structuredContent)[1], 'nextCursor', name);
    assert.match(content[0].text.slice(0, 60), 'nextCursor');
  }
});

plain.run();
