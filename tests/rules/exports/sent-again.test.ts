import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Body } from '../../support/http.ts';
import { RandomDesk, readExport } from '../../support/random-desk.ts';
import { type Desk, World } from '../../support/world.ts';

const again = suite('a page of an export that is sent again');

type Named = Record<string, Body>;

/** Returns the statuses, people, orders and ends of all records, by the refs that an export gives them. */
async function readFacts(desk: Desk) {
  const named: Named = {};
  const read = async (path: string) =>
    Object.values((await desk.get(`/${path}?limit=200`)).body).find(Array.isArray) as Body[] | undefined;
  for (const path of ['candidates', 'job-orders', 'placements'])
    for (const row of (await read(path)) ?? []) {
      const { status, endDate, endReason, plannedEndDate, candidateName, title } = row;
      const isPlacement = path === 'placements';
      const facts = isPlacement
        ? { status, endDate, endReason, plannedEndDate, candidateName, title }
        : { status };
      named[`${path} ${row.ref ?? row.id}`] = facts;
    }
  return named;
}

/** No page says that a record was deleted. So a name that is null in the first workspace stays in the second. */
const keepNames = (facts: Body, there: Body): Body => ({
  ...facts,
  ...('title' in facts && {
    candidateName: facts.candidateName ?? there.candidateName,
    title: facts.title ?? there.title,
  }),
});

/** Sends pages with `upsert`. Returns the paths and codes of the warnings by the refs of the records. */
async function sendPages(pages: Body[], desk: Desk | undefined, world: World) {
  const warned = new Set<string>();
  let target = desk;
  for (const page of pages) {
    if (page.type !== 'OK') continue;
    const sent = { ...page, ...(target && { upsert: true }) };
    const { status, body, text } = await (target ?? world).post('/batch', sent);
    assert.ok(status < 300, `${status} ${text.slice(0, 600)}`);
    target ??= world.enter(body.workspace);
    for (const { path } of body.warnings ?? []) {
      const [, name, index] = /^(\w+)\[(\d+)\]/.exec(path) ?? [];
      const { ref } = page[name!][Number(index)];
      warned.add(`${name === 'jobOrders' ? 'job-orders' : name} ${ref}`);
    }
  }
  return { target: target!, warned };
}

for (let seed = 1; seed <= 5; seed += 1)
  for (const limit of [200, 4])
    again(`reads like the first workspace, or says what differs: desk ${seed}, ${limit} a page`, async () => {
      const world = new World({ now: Date.now() });
      const random = new RandomDesk(world, seed);
      for (const kind of ['candidate', 'jobOrder', 'placement', 'candidate', 'placement'] as const)
        await random.create(kind);
      for (let step = 0; step < 20; step += 1) await random.step();
      const source = world.enter(random.workspace);
      const { target } = await sendPages(await readExport(world, random.workspace, limit), undefined, world);
      for (let round = 0; round < 3; round += 1) {
        world.pass(60_000);
        for (let step = 0; step < 12; step += 1) await random.step();
        world.pass(60_000);
        const pages = await readExport(world, random.workspace, limit);
        const { warned } = await sendPages(pages, target, world);
        const [here, there] = [await readFacts(source), await readFacts(target)];
        // Of several pages, an earlier one cannot say that a later placement lost its person or its order.
        const hasLost = Object.values(here).some((row) => row.title === null || row.candidateName === null);
        for (const [name, facts] of Object.entries(here)) {
          if (limit === 4 && hasLost && !name.startsWith('placements')) continue;
          assert.ok(name in there, `${name} is missing`);
          if (!warned.has(name)) assert.equal(there[name], keepNames(facts, there[name]!), name);
        }
        const { revision } = (await target.get('/workspace')).body.workspace;
        await sendPages(pages, target, world);
        const after = (await target.get('/workspace')).body.workspace.revision;
        if (limit === 200) assert.is(after, revision, 'the same page changes nothing');
      }
    });

/** Opens a workspace of a person at work, and a copy of it. */
async function openTwo(members: Body = {}, now = Date.parse('2026-11-01T12:00:00Z')) {
  const world = new World({ now });
  const first = await world.open({
    candidates: [{ ref: 'a', name: 'Ann Lee', onetCode: '15-1252.00' }],
    jobOrders: [{ ref: 'o', client: 'Works', title: 'Coder', onetCode: '15-1252.00' }],
    placements: [
      {
        ref: 'p',
        candidateId: '#a',
        jobOrderId: '#o',
        onetCode: '15-1252.00',
        startDate: '2026-10-20',
        ...members,
      },
    ],
  });
  const { target } = await sendPages(await readExport(world, first.workspace, 200), undefined, world);
  const send = async () => {
    world.pass(60_000);
    return sendPages(await readExport(world, first.workspace, 200), target, world);
  };
  return { world, first, second: target, send };
}

type Call = [method: 'patch' | 'post', path: string, body: Body];
const accept: Call = ['patch', '/placements/%23p', { status: 'scheduled' }];
const end: Call = ['patch', '/placements/%23p', { endDate: '2026-10-30', endReason: 'client-ended' }];
const removeEnd: Call = ['patch', '/placements/%23p', { endDate: null }];
const withdraw: Call = ['patch', '/candidates/%23a', { status: 'withdrawn' }];
const close: Call = ['patch', '/job-orders/%23o', { status: 'closed' }];
const release: Call = ['patch', '/candidates/%23a', { status: 'available' }];

/** What happens in the first workspace, or in the second, after it was copied. */
const changes: [title: string, start: Body, inFirst: Call[], inSecond?: Call[]][] = [
  ['a proposal that is accepted', { status: 'proposed' }, [accept]],
  ['a proposal that is accepted, and ended', { status: 'proposed' }, [accept, end]],
  ['an end that is removed', { endDate: '2026-10-30', endReason: 'client-ended' }, [removeEnd]],
  ['a person who withdraws after an end', {}, [end, withdraw]],
  ['an order that was closed in the second', { status: 'proposed' }, [accept], [close]],
  ['a person who was withdrawn in the second', { status: 'proposed' }, [accept], [withdraw]],
  [
    'another plan of a placement that has ended',
    { endDate: '2026-10-30', endReason: 'client-ended' },
    [removeEnd, ['patch', '/placements/%23p', { plannedEndDate: '2026-12-01' }], end],
  ],
  [
    'a conversion after which the person is available',
    {},
    [['patch', '/placements/%23p', { endDate: '2026-10-30', endReason: 'converted' }], release],
  ],
  ['a fall-off that is stated', {}, [['post', '/placements/%23p/outcome', { result: 'attrited' }]]],
];

for (const [title, start, inFirst, inSecond = []] of changes)
  again(`takes over ${title}, and changes nothing the second time`, async () => {
    const { first, second, send } = await openTwo(start);
    const call = async (desk: Desk, [method, path, body]: Call) =>
      assert.ok((await desk[method](path, body)).status < 300, path);
    for (const one of inSecond) await call(second, one);
    for (const one of inFirst) await call(first, one);
    await send();
    assert.equal(await readFacts(second), await readFacts(first));
    const { revision } = (await second.get('/workspace')).body.workspace;
    await send();
    assert.is((await second.get('/workspace')).body.workspace.revision, revision);
  });

again('says which placement no move brings to its status, and changes the others', async () => {
  const { first, second, send } = await openTwo({ status: 'proposed' });
  await second.patch('/placements/%23p', { status: 'declined' });
  await first.patch('/candidates/%23a', { metro: 'Reno, NV' });
  const { warned } = await send();
  assert.equal([...warned], ['placements p']);
  assert.is((await second.read('/candidates/%23a')).metro, 'Reno, NV');
});

again('finds a known person by the id that was sent with it, in any batch', async () => {
  const { second } = await openTwo();
  const { status, text } = await second.post('/batch', {
    upsert: true,
    candidates: [{ id: 'x1', ref: 'a' }],
    placements: [{ candidateId: 'x1', jobOrderId: '#o', onetCode: '15-1252.00', status: 'proposed' }],
  });
  assert.is(status, 201, text);
});

again.run();
