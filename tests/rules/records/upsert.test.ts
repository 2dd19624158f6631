import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Body } from '../../support/http.ts';
import { dayFromNow, toBody } from '../../support/sandbox.ts';
import { World } from '../../support/world.ts';

const upserts = suite('refreshing records by their refs');
const { ask } = new World();

/** Collections, with the path of each. */
const paths = { candidates: '/candidates', jobOrders: '/job-orders', placements: '/placements' };
type Collection = keyof typeof paths;

const world = {
  candidates: [
    toBody.candidate({
      ref: 'ann',
      name: 'Ann Lee',
      metro: 'Austin, TX',
      skills: ['Go'],
      payRateUsdHour: 40,
    }),
    toBody.candidate({ ref: 'bob', name: 'Bob Ray', status: 'withdrawn' }),
    toBody.candidate({ ref: 'cy', name: 'Cy Moe' }),
  ],
  jobOrders: [toBody.jobOrder({ ref: 'job', openings: 3 }), toBody.jobOrder({ ref: 'ann', title: 'Tester' })],
  placements: [
    toBody.placement({ ref: 'p', candidateId: '#ann', jobOrderId: '#job', status: 'proposed' }),
    toBody.placement({ ref: 'q', candidateId: '#cy', jobOrderId: '#job', startDate: dayFromNow(-1) }),
  ],
};

async function makeWorld() {
  const { status, body, text } = await ask('POST', '/batch', world);
  assert.is(status, 201, text);
  const mine = { 'X-Workspace': body.workspace };
  const send = (sent: object, headers: object = {}) =>
    ask('POST', '/batch', { upsert: true, ...sent }, { ...mine, ...headers });
  return { ...body, mine, send } as Body & { mine: Record<string, string>; send: typeof send };
}

/** Returns the members of all records that two workspaces can have alike, by ref. */
async function readWhole(mine: object) {
  const { body } = await ask('GET', '/workspace/export', undefined, mine);
  const rows: Body[] = Object.keys(paths).flatMap((name) => body[name]);
  const refOf = new Map(rows.map(({ id, ref }) => [id, ref]));
  const strip = ({ id, links, createdAt, updatedAt, revision, transitions, history: _, ...rest }: Body) => ({
    ...rest,
    candidateId: refOf.get(rest.candidateId),
    jobOrderId: refOf.get(rest.jobOrderId),
    moves: transitions?.map(({ from, to }: Body) => [from, to]),
  });
  return Object.fromEntries(
    Object.keys(paths).map((name) => [
      name,
      body[name].map(strip).toSorted((a: Body, b: Body) => a.ref.localeCompare(b.ref)),
    ]),
  );
}

const readRevision = async (mine: object) =>
  (await ask('GET', '/workspace', undefined, mine)).body.workspace.revision;

/** Sets of records to send: some known and some new, whole and in part. */
const refreshes: Record<string, Partial<Record<Collection, Body[]>>> = {
  'the same records again': world,
  'one member of each kind': {
    candidates: [{ ref: 'ann', metro: 'Reno, NV' }],
    jobOrders: [{ ref: 'ann', openings: 2 }],
    placements: [{ ref: 'p', billRateUsdHour: 70 }],
  },
  'whole records beside new ones': {
    candidates: [
      toBody.candidate({ ref: 'new', name: 'Di Poe' }),
      toBody.candidate({ ref: 'ann', name: 'Ann Lee', payRateUsdHour: 42, skills: ['Go', 'SQL'] }),
    ],
    placements: [
      toBody.placement({ ref: 'r', candidateId: '#new', jobOrderId: '#ann', status: 'proposed' }),
      { ref: 'p', jobOrderId: '#ann' },
    ],
  },
  moves: {
    candidates: [{ ref: 'bob', status: 'available' }],
    jobOrders: [{ ref: 'ann', status: 'closed' }],
    placements: [{ ref: 'p', status: 'interviewing' }],
  },
  'members removed': { candidates: [{ ref: 'ann', metro: null, skills: null }] },
};

const list = (sent: Partial<Record<Collection, Body[]>>) =>
  (Object.keys(paths) as Collection[]).flatMap((name) =>
    (sent[name] ?? []).map((item) => ({
      name,
      item,
      isKnown: world[name].some(({ ref }) => ref === item.ref),
    })),
  );

for (const [name, sent] of Object.entries(refreshes)) {
  upserts(`equals creates and changes sent singly: ${name}`, async () => {
    const [one, other] = [await makeWorld(), await makeWorld()];
    const { status, text } = await one.send(sent);
    assert.ok(status < 300, text);
    for (const { name: collection, item } of list(sent).filter(({ isKnown }) => !isKnown))
      assert.is((await ask('POST', '/batch', { [collection]: [item] }, other.mine)).status, 201);
    for (const { name: collection, item } of list(sent).filter(({ isKnown }) => isKnown)) {
      const path = `${paths[collection]}/%23${item.ref}`;
      const now = Object.values((await ask('GET', path, undefined, other.mine)).body)[1] as Body;
      const { status: wanted, ...members } = item;
      const patch = wanted === undefined || wanted === now.status ? members : item;
      const changed = await ask('PATCH', path, patch, other.mine);
      assert.is(changed.status, 200, changed.text);
    }
    assert.equal(await readWhole(one.mine), await readWhole(other.mine));
  });

  upserts(`changes nothing the second time: ${name}`, async () => {
    const { mine, send } = await makeWorld();
    await send(sent);
    const before = await readRevision(mine);
    const { status, body, text } = await send(sent);
    assert.is(status, 200, text);
    assert.equal(body.changes, []);
    assert.is(await readRevision(mine), before);
  });
}

upserts('replies with what it created, and with what it changed', async () => {
  const { send, candidates } = await makeWorld();
  const { status, body } = await send({
    candidates: [
      { ref: 'ann', metro: 'Reno, NV' },
      { ref: 'cy', name: 'Cy Moe' },
      toBody.candidate({ ref: 'new' }),
    ],
  });
  assert.is(status, 201);
  assert.equal(
    body.candidates.map(({ ref }: Body) => ref),
    ['new'],
  );
  assert.equal(
    body.changes.map(({ candidate }: Body) => [candidate.id, candidate.revision]),
    [[candidates[0].id, 2]],
  );
});

upserts('changes a workspace by its own export, and nothing if that is not old', async () => {
  const { mine, send } = await makeWorld();
  await ask('POST', '/candidates', toBody.candidate({ name: 'No Ref' }), mine);
  const { type, nextCursor, ...page } = (await ask('GET', '/workspace/export', undefined, mine)).body;
  const before = await readRevision(mine);
  const { status, body, text } = await send(page);
  assert.is(status, 200, text);
  assert.equal(body.changes, []);
  assert.is(await readRevision(mine), before);
  const person = page.candidates.find(({ name }: Body) => name === 'No Ref');
  const { body: changed } = await send({ candidates: [{ ref: person.id, metro: 'Reno, NV' }] });
  assert.equal(changed.changes[0].candidate.id, person.id);
  assert.not('ref' in changed.changes[0].candidate);
});

upserts('lists in the activity the members of the one record that it changes', async () => {
  const { mine, send } = await makeWorld();
  await send({ candidates: [{ ref: 'ann', metro: 'Reno, NV' }] });
  const { activity } = (await ask('GET', '/workspace/activity?limit=1', undefined, mine)).body;
  assert.ok(activity[0].members.includes('metro'), JSON.stringify(activity[0]));
});

upserts('works twice at once', async () => {
  const { mine, send } = await makeWorld();
  const sent = {
    candidates: [toBody.candidate({ ref: 'new', name: 'Di Poe' }), { ref: 'ann', metro: 'Reno, NV' }],
  };
  const replies = await Promise.all([send(sent), send(sent)]);
  assert.equal(replies.map(({ status }) => status).toSorted(), [200, 201]);
  assert.is((await readWhole(mine)).candidates.length, 4);
});

upserts('makes a workspace, if there is none', async () => {
  const { status, body } = await ask('POST', '/batch', { ...world, upsert: true });
  assert.is(status, 201);
  assert.is(body.candidates.length, 3);
});

const refused: [title: string, sent: object, status: number, code: string, path: string][] = [
  ['a known ref without upsert', { upsert: false, ...world }, 409, 'duplicate_ref', 'candidates[0].ref'],
  [
    'a ref sent twice',
    { candidates: [{ ref: 'ann' }, { ref: 'ann' }] },
    400,
    'invalid_request',
    'candidates[1].ref',
  ],
  [
    'a new record in part',
    { candidates: [{ ref: 'new', metro: 'Reno, NV' }] },
    400,
    'invalid_request',
    'candidates[0].name',
  ],
  ['an upsert that is no boolean', { ...world, upsert: 'yes' }, 400, 'invalid_request', 'upsert'],
];

for (const [title, sent, status, code, path] of refused)
  upserts(`refuses ${title}, and changes nothing`, async () => {
    const { mine, send } = await makeWorld();
    const before = await readRevision(mine);
    const reply = await send(sent);
    assert.is(reply.status, status, reply.text);
    assert.is(reply.body.code, code);
    assert.is(reply.body.issues[0].path, path);
    assert.is(await readRevision(mine), before);
  });

/** Changes that are refused, each the only one that is sent. */
const broken: [name: Collection, item: Body][] = [
  ['candidates', { ref: 'ann', name: null }],
  ['candidates', { ref: 'ann', onetCode: '1' }],
  ['candidates', { ref: 'cy', status: 'available' }],
  ['jobOrders', { ref: 'job', startDate: '2027-02-01', endDate: '2027-01-01' }],
  ['placements', { ref: 'q', status: 'interviewing' }],
];

for (const [name, item] of broken)
  upserts(`refuses ${JSON.stringify(item)} as an update does, and changes nothing`, async () => {
    const { mine, send } = await makeWorld();
    const before = await readRevision(mine);
    const { ref, ...patch } = item;
    const single = await ask('PATCH', `${paths[name]}/%23${ref}`, patch, mine);
    const reply = await send({ candidates: [toBody.candidate({ ref: 'new' })], [name]: [item] });
    assert.is(reply.status, single.status, reply.text);
    assert.is(reply.body.code, single.body.code);
    assert.is(reply.body.issues[0].path, `${name}[0].${single.body.issues[0].path}`);
    assert.is(await readRevision(mine), before);
  });

upserts('is charged as the creates and changes that it makes', async () => {
  const { mine, send } = await makeWorld();
  const count = async () => {
    const { operations } = (await ask('GET', '/workspace', undefined, mine)).body.workspace.usage;
    return operations.find(({ operation }: Body) => operation === 'createCandidate').calls;
  };
  const before = await count();
  await send({ candidates: [{ ref: 'ann', metro: 'Reno, NV' }, toBody.candidate({ ref: 'new' })] });
  assert.is((await count()) - before, 1);
});

upserts.run();
