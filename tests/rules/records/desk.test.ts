import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Body } from '../../support/http.ts';
import { client } from '../../support/in-process.ts';
import { pluck } from '../../support/rows.ts';
import { dayFromNow, makeSandbox, refused, strict, toBody } from '../../support/sandbox.ts';

const desk = suite('a desk');

const onetCode = '29-1141.00';
const nurse = (more?: object) => toBody.candidate({ onetCode, ...more });
const nights = (more?: object) =>
  toBody.jobOrder({
    onetCode,
    requires: ['RN license - PA'],
    shift: 'night',
    startDate: dayFromNow(30),
    endDate: dayFromNow(120),
    ...more,
  });
const proposal = (more?: object) =>
  toBody.placement({ onetCode, candidateId: '#a', jobOrderId: '#o', status: 'proposed', ...more });
const fits = { credentials: ['Pennsylvania RN license'], shifts: ['night'], availableFrom: dayFromNow(7) };
const codesOf = ({ body }: { body: Body }) => (body.warnings ?? []).map(({ code }: Body) => code);

desk('a must-have is met only by one phrase that has all of its words', async () => {
  const rows: [string, string, boolean][] = [
    ['RN license - PA', 'Pennsylvania RN license', true],
    ['Pennsylvania RN license', 'RN, PA', true],
    ['RN, PA', 'licensed RNs of pennsylvania', true],
    ['CDL A', 'Class A CDL', true],
    ['CDL A', 'CDL B', false],
    ['MD license', 'Maryland nursing license', false],
    ['MD license', 'MD', true],
    ['RN license PA', 'RN license', false],
    ['RN PA', 'RN, pa', true],
    ['new york RN', 'RN NY', true],
    ['West Virginia RN', 'RN VA', false],
    ['ACLS', 'no ACLS', false],
    ['License', 'RN license', true],
  ];
  const candidates = rows.map(([, had], at) => nurse({ ref: `c${at}`, credentials: [had] }));
  const jobOrders = rows.map(([asked], at) =>
    toBody.jobOrder({ onetCode, ref: `o${at}`, requires: [asked] }),
  );
  const { mine } = await makeSandbox(client, { candidates, jobOrders });
  for (const [at, [asked, had, isMet]] of rows.entries()) {
    const { body } = await client.get(`/job-orders/%23o${at}/matches?ref=c${at}&scope=workspace`, mine);
    const [{ meets, met, unmet }] = body.matches;
    const told = isMet ? [true, [{ phrase: asked, by: had }], []] : [false, [], [`shows no "${asked}"`]];
    assert.equal([meets, met, unmet], told, `${asked} by ${had}`);
    const skilled = nurse({ skills: [had] });
    const { self } = (await client.post('/candidates', skilled, mine)).body.candidate.links;
    const bySkill = await client.get(`${self}/matches?ref=o${at}&scope=workspace`, mine);
    assert.is(bySkill.body.matches[0].meets, isMet, `${asked} by the skill ${had}`);
  }
});

desk('ranks people who meet the must-haves first, and does not count those in the score', async () => {
  const candidates = [
    nurse({ ref: 'lacks', skills: ['ICU'] }),
    nurse({ ref: 'meets', ...fits, skills: ['Payroll'] }),
    nurse({ ref: 'late', ...fits, availableFrom: dayFromNow(31) }),
    nurse({ ref: 'days', ...fits, shifts: ['day', 'weekend'] }),
    nurse({ ref: 'silent', credentials: fits.credentials }),
  ];
  const order = nights({ ref: 'o', skills: ['ICU'] });
  const { mine } = await makeSandbox(client, { candidates, jobOrders: [order] });
  const { body } = await client.get('/job-orders/%23o/matches?scope=workspace', mine);
  const byRef = Object.fromEntries(body.matches.map((one: Body) => [one.candidate.ref, one]));
  const refs = body.matches.map((one: Body) => one.candidate.ref);
  assert.equal(refs.slice(0, 2).sort(), ['meets', 'silent']);
  assert.is(refs[2], 'lacks', 'by score among those who do not meet');
  assert.equal(byRef.silent.unknown, ['availability not stated', 'shift not stated']);
  assert.equal(byRef.late.unmet, [
    `is available from ${dayFromNow(31)}; the work starts on ${dayFromNow(30)}`,
  ]);
  assert.equal(byRef.days.unmet, ['works day, weekend; the work is night']);
  const path = '/job-orders/%23o/matches?scope=workspace&meets=true&limit=1';
  const alone = await client.get(path, mine);
  assert.is(alone.body.total, 2);
  assert.is(alone.body.matches.length, 1);
  const next = await client.get(`${path}&cursor=${alone.body.nextCursor}`, mine);
  assert.is.not(next.body.matches[0].candidate.ref, alone.body.matches[0].candidate.ref);
  assert.is(next.body.nextCursor, undefined);
});

desk('proposing and accepting warn of unmet must-haves, and refuse under strict handling', async () => {
  const batch = { candidates: [nurse({ ref: 'a' })], jobOrders: [nights({ ref: 'o' })] };
  const { mine } = await makeSandbox(client, batch);
  const strictly = await client.post('/placements', proposal(), { ...mine, ...strict });
  refused(strictly, 409, 'conflict', ['candidateId']);
  const made = await client.post('/placements', proposal(), mine);
  assert.equal(codesOf(made), ['requirement_unmet']);
  assert.match(made.body.warnings[0].message, 'RN license - PA');
  const again = await client.post('/placements', proposal(), mine);
  assert.equal(codesOf(again), ['requirement_unmet', 'already_proposed']);
  const { self } = made.body.placement.links;
  assert.equal(codesOf(await client.patch(self, { status: 'interviewing' }, mine)), []);
  const said = { availableFrom: dayFromNow(40), shifts: ['day'] };
  assert.is((await client.patch('/candidates/%23a', said, mine)).status, 200);
  const all = ['requirement_unmet', 'not_available', 'wrong_shift'];
  const accepted = await client.patch(self, { status: 'scheduled' }, { ...mine, ...strict });
  assert.equal(refused(accepted, 409, 'conflict').issues.length, all.length);
  assert.equal(codesOf(await client.patch(self, { status: 'scheduled' }, mine)), all);
});

desk('a person proposed to two orders and accepted by one fills that one', async () => {
  const two = await makeSandbox(client, {
    candidates: [nurse({ ref: 'a', ...fits }), nurse({ ref: 'b', ...fits })],
    jobOrders: [nights({ ref: 'o' }), nights({ ref: 'p' })],
    placements: [
      proposal({ ref: 'ao' }),
      proposal({ ref: 'ap', jobOrderId: '#p' }),
      proposal({ ref: 'bo', candidateId: '#b' }),
    ],
  });
  const { mine } = two;
  const orderIs = async (status: string, openingsLeft: number, proposals: number) => {
    const { jobOrder } = (await client.get('/job-orders/%23o', mine)).body;
    assert.equal(jobOrder.status, status);
    assert.equal(jobOrder.openingsLeft, openingsLeft);
    assert.equal(jobOrder.proposals, proposals);
  };
  const move = (ref: string, more: object) => client.patch(`/placements/%23${ref}`, more, mine);
  await orderIs('open', 1, 2);
  assert.is((await client.get('/candidates/%23a', mine)).body.candidate.status, 'available');
  refused(await client.post('/placements/%23ao/outcome', { result: 'retained' }, mine), 409, 'not_started');
  assert.is(
    (await move('ao', { status: 'scheduled', startDate: dayFromNow(-1) })).body.placement.status,
    'active',
  );
  await orderIs('filled', 0, 1);
  assert.equal(codesOf(await move('ap', { status: 'scheduled' })), ['already_placed']);
  const late = await move('bo', { status: 'scheduled' });
  assert.equal(codesOf(late), ['already_filled']);
  refused(await move('ap', { declineReason: 'client' }), 400, 'invalid_request', ['declineReason']);
});

desk('a declined candidate can be proposed again, and an export keeps the stages', async () => {
  const batch = {
    candidates: [nurse({ ref: 'a', ...fits, note: 'Met twice.' })],
    jobOrders: [nights({ ref: 'o' })],
    placements: [proposal({ ref: 'one', plannedEndDate: dayFromNow(90) })],
  };
  const { mine } = await makeSandbox(client, batch);
  const decline = { status: 'declined', declineReason: 'client', reason: 'Wants weekends.' };
  const declined = await client.patch('/placements/%23one', decline, mine);
  const { transitions } = declined.body.placement;
  assert.is(transitions.length, 1);
  assert.is(transitions[0].reason, 'Wants weekends.');
  refused(await client.patch('/placements/%23one', { status: 'proposed' }, mine), 409, 'illegal_transition');
  assert.equal(codesOf(await client.post('/placements', proposal({ ref: 'two' }), mine)), [
    'already_declined',
  ]);
  const page = (await client.get('/workspace/export', mine)).body;
  const back = await client.post('/batch', page, strict);
  assert.is(back.status, 201, back.text);
  assert.equal(codesOf(back), [], back.text);
  const [first, second] = back.body.placements;
  assert.is(first.status, 'declined');
  assert.is(first.declineReason, 'client');
  assert.is(second.status, 'proposed');
  assert.equal(first.transitions, transitions);
  assert.is(back.body.jobOrders[0].proposals, 1);
  assert.is(back.body.candidates[0].note, 'Met twice.');
});

desk('an order accepts fifty open placements', async () => {
  const candidates = Array.from({ length: 51 }, (_, at) => nurse({ ref: `c${at}`, ...fits }));
  const placements = candidates.map(({ ref }) => proposal({ candidateId: `#${ref}` }));
  const jobOrders = [nights({ ref: 'o' })];
  refused(await client.post('/batch', { candidates, jobOrders, placements }), 409, 'too_many_proposals');
  const batch = { candidates, jobOrders, placements: placements.slice(1) };
  const { mine, placements: made } = await makeSandbox(client, batch);
  const more = proposal({ candidateId: '#c0' });
  refused(await client.post('/placements', more, mine), 409, 'too_many_proposals');
  const declined = await client.patch(made[0].links.self, { status: 'declined' }, mine);
  assert.is(declined.status, 200);
  assert.is((await client.post('/placements', more, mine)).status, 201);
});

desk('rejects an invalid date, credential, shift or stage and names the field', async () => {
  const phrases = Array(21).fill('RN');
  const rows: [string, object, string][] = [
    ['/candidates', nurse({ availableFrom: '2026-02-31' }), 'availableFrom'],
    ['/candidates', nurse({ shifts: ['noon'] }), 'shifts[0]'],
    ['/candidates', nurse({ credentials: phrases }), 'credentials'],
    ['/candidates', nurse({ credentials: ['x'.repeat(81)] }), 'credentials[0]'],
    ['/candidates', nurse({ payRateUsdHour: 0 }), 'payRateUsdHour'],
    ['/job-orders', nights({ requires: phrases }), 'requires'],
    ['/job-orders', nights({ requires: ['x'.repeat(81)] }), 'requires[0]'],
    ['/job-orders', nights({ requires: ['no felony'] }), 'requires[0]'],
    ['/job-orders', nights({ shift: 'noon' }), 'shift'],
    ['/job-orders', nights({ endDate: dayFromNow(29) }), 'endDate'],
    ['/job-orders', nights({ startDate: 'soon' }), 'startDate'],
    ['/placements', toBody.placement({ status: 'offered' }), 'status'],
    ['/placements', proposal({ startDate: dayFromNow(9), plannedEndDate: dayFromNow(8) }), 'plannedEndDate'],
    ['/placements', toBody.placement({ note: 'x'.repeat(2001) }), 'note'],
  ];
  for (const [path, body, place] of rows)
    refused(await client.post(path, body), 400, 'invalid_request', [place]);
  const { mine } = await makeSandbox(client, { jobOrders: [nights({ ref: 'o' })] });
  const early = await client.patch('/job-orders/%23o', { endDate: dayFromNow(1) }, mine);
  refused(early, 400, 'invalid_request', ['endDate']);
  refused(await client.get('/workspace/matches?limit=11', mine), 400, 'invalid_request', ['limit']);
  for (const query of ['candidates?availableBy=soon', 'job-orders?shift=noon', 'workspace/matches?meets=yes'])
    assert.is((await client.get(`/${query}`, mine)).status, 400, query);
});

desk('lists can be filtered by words, refs, credentials, shifts and days', async () => {
  const { mine } = await makeSandbox(client, {
    candidates: [nurse({ ref: 'a', ...fits, title: 'ICU nurse' }), nurse({ ref: 'b', shifts: ['day'] })],
    jobOrders: [nights({ ref: 'o', title: 'ICU nights' }), toBody.jobOrder({ ref: 'p' })],
  });
  const rows: Record<string, string[]> = {
    '/candidates?q=licenses RN': ['a'],
    '/candidates?q=sample': ['b', 'a'],
    '/candidates?q=cand': [],
    '/candidates?credential=RN%20PA': ['a'],
    '/candidates?shift=day': ['b'],
    [`/candidates?availableBy=${dayFromNow(7)}`]: ['a'],
    [`/candidates?availableBy=${dayFromNow(6)}`]: [],
    '/candidates?ref=b': ['b'],
    '/job-orders?q=icu': ['o'],
    '/job-orders?q=RN': ['o'],
    '/job-orders?shift=night': ['o'],
    [`/job-orders?startsBy=${dayFromNow(30)}`]: ['o'],
    '/job-orders?ref=p': ['p'],
  };
  for (const [address, refs] of Object.entries(rows)) {
    const { body } = await client.get(`${address}&scope=workspace`, mine);
    const found = body.candidates ?? body.jobOrders ?? [];
    assert.equal(pluck(found, 'ref'), refs, address);
  }
});

desk('a whole workspace is matched in one call, in pages of twenty orders', async () => {
  const { mine, jobOrders } = await makeSandbox(client, {
    candidates: [nurse({ ref: 'a', ...fits }), nurse({ ref: 'b' })],
    jobOrders: Array.from({ length: 23 }, (_, at) => nights({ ref: `o${at}` })),
  });
  assert.is((await client.patch('/job-orders/%23o0', { status: 'closed' }, mine)).status, 200);
  const first = (await client.get('/workspace/matches?scope=workspace', mine)).body;
  assert.is(first.orders.length, 20);
  assert.is(first.total, 22);
  const rest = (await client.get(`/workspace/matches?scope=workspace&cursor=${first.nextCursor}`, mine)).body;
  assert.is(rest.orders.length, 2);
  assert.is(rest.nextCursor, undefined);
  const told = [...first.orders, ...rest.orders].map(({ jobOrder }) => jobOrder.id);
  const open = jobOrders.slice(1).map(({ id }) => id);
  assert.equal(told, open.toReversed());
  for (const { jobOrder, matches } of first.orders) {
    const { body } = await client.get(`/job-orders/${jobOrder.id}/matches?scope=workspace&limit=3`, mine);
    assert.equal(matches, body.matches);
  }
  const asked = await client.get('/workspace/matches?scope=workspace&meets=true&limit=1', mine);
  for (const { matches } of asked.body.orders) {
    assert.is(matches.length, 1);
    assert.is(matches[0].candidate.ref, 'a');
  }
  const empty = await makeSandbox(client, { candidates: [nurse()] });
  assert.is((await client.get('/workspace/matches', empty.mine)).body.type, 'EMPTY');
});

desk.run();
