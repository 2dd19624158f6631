import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { inside } from '../../support/doors.ts';
import type { Body, Reply } from '../../support/http.ts';
import { client } from '../../support/in-process.ts';
import { dayFromNow, makeSandbox, onetCode, toBody } from '../../support/sandbox.ts';

const texts = suite('texts that a caller stores');

/** Characters that no text may contain, and a word of the refusal. */
const deceiving: [text: string, word: RegExp][] = [
  ['A\u0000B', /control character \(U\+0000\)/],
  ['A\u001b[31mB', /control character \(U\+001B\)/],
  ['A\u007fB', /control character \(U\+007F\)/],
  ['A\u009b31mB', /control character \(U\+009B\)/],
  ['A\u0085B', /line break \(U\+0085\)/],
  ['A\u2028B', /line break \(U\+2028\)/],
  ['A\u202aB', /direction of text \(U\+202A\)/],
  ['A\u202eB', /direction of text \(U\+202E\)/],
  ['A\u2066B', /direction of text \(U\+2066\)/],
  ['A\u2069B', /direction of text \(U\+2069\)/],
  ['A\u206aB', /direction of text \(U\+206A\)/],
  ['A\ufff9B', /annotation mark \(U\+FFF9\)/],
  ['A\u{e0041}B', /invisible tag character \(U\+E0041\)/],
];

/** Texts in which a person sees nothing. */
const invisible = ['\u200b', '\u200d\u2060', '\u3164', '\u2800', '\u00ad', '\ufe0f', '\u0301'];

/** Every text of each kind that a caller sends, with the call that sends it. */
const members = {
  candidate: ['name', 'title', 'metro', 'note', 'skills', 'credentials'],
  jobOrder: ['client', 'title', 'metro', 'note', 'skills', 'requires'],
  placement: ['candidateId', 'jobOrderId', 'feeModel', 'note'],
} as const;
const lists = ['skills', 'credentials', 'requires'];
const creates = { candidate: '/candidates', jobOrder: '/job-orders', placement: '/placements' } as const;
const collections = { candidate: 'candidates', jobOrder: 'jobOrders', placement: 'placements' } as const;
type Kind = keyof typeof members;

const everyMember = Object.entries(members).flatMap(([kind, names]) =>
  names.map((name) => ({ kind: kind as Kind, name })),
);
const toValue = (name: string, text: string) => (lists.includes(name) ? [text] : text);
const toPath = (name: string) => (lists.includes(name) ? `${name}[0]` : name);

function refuses({ status, body, text }: Reply, path: string, message: RegExp): void {
  assert.is(status, 400, text);
  assert.is(body.type, 'BLOCKED');
  assert.is(body.issues[0].path, path, text);
  assert.match(body.issues[0].message, message);
}

for (const { kind, name } of everyMember) {
  texts(`${kind} ${name}: refuses deceptive characters, and says what to send`, async () => {
    for (const [text, message] of deceiving) {
      const body = { ...toBody[kind](), [name]: toValue(name, text) };
      const answer = await client.post(creates[kind], body);
      refuses(answer, toPath(name), message);
      assert.match(answer.body.issues[0].message, /; send /);
    }
  });

  texts(`${kind} ${name}: needs a visible character`, async () => {
    for (const text of invisible)
      refuses(
        await client.post(creates[kind], { ...toBody[kind](), [name]: toValue(name, text) }),
        toPath(name),
        /visible character/,
      );
  });
}

texts('a change, a batch and an imported export obey the same rule', async () => {
  const batch = { candidates: [toBody.candidate()], jobOrders: [toBody.jobOrder()] };
  const made = await makeSandbox(client, { ...batch, placements: [toBody.placement()] });
  const exported = (await client.get('/workspace/export', made.mine)).body;
  for (const { kind, name } of everyMember) {
    const collection = collections[kind];
    const [record] = made[collection];
    const sent = { [name]: toValue(name, 'A\u202eB') };
    const message = /direction of text/;
    refuses(await client.patch(record!.links.self, sent, made.mine), toPath(name), message);
    const item = { ...toBody[kind](), ...sent };
    const at = `${collection}[0].${toPath(name)}`;
    refuses(await client.post('/batch', { [collection]: [item] }), at, message);
    const page = { ...exported, [collection]: [{ ...exported[collection][0], ...sent }] };
    refuses(await client.post('/batch', page), at, message);
  }
});

/** Makes a placement in a workspace, and the tokens of its parties. */
async function openParties(): Promise<
  Record<'mine' | 'shortlist' | 'confirmation', Record<string, string>> & Body
> {
  const startDate = dayFromNow(-10);
  const made = await makeSandbox(client, {
    candidates: [toBody.candidate({ ref: 'a' }), toBody.candidate({ ref: 'b' })],
    jobOrders: [toBody.jobOrder({ ref: 'o', openings: 2 })],
    placements: [
      { candidateId: '#a', jobOrderId: '#o', onetCode, startDate },
      { candidateId: '#b', jobOrderId: '#o', onetCode, status: 'proposed' },
    ],
  });
  const { mine, placements, jobOrders } = made;
  const at = placements[0]!.links.self;
  await client.post(`${at}/outcome`, { result: 'retained' }, mine);
  const { token } = (await client.post(`${at}/confirmations`, { party: 'client' }, mine)).body.confirmation;
  const { shortlist } = (await client.post(`${jobOrders[0]!.links.self}/shortlist`, {}, mine)).body;
  return {
    at,
    mine,
    proposed: placements[1]!,
    confirmation: { 'X-Confirmation': token },
    shortlist: { 'X-Shortlist': shortlist.token },
  };
}

texts('reasons, notes of an outcome and comments obey the same rule', async () => {
  const { at, mine, proposed, confirmation, shortlist } = await openParties();
  const message = /direction of text/;
  const text = 'A\u202eB';
  const move = { status: 'interviewing', reason: text };
  refuses(await client.patch(proposed.links.self, move, mine), 'reason', message);
  const decided = { placementId: proposed.id, decision: 'interview', tag: 'x', reason: text };
  refuses(await client.post('/shortlist', decided, shortlist), 'reason', message);
  refuses(await client.post(`${at}/outcome`, { result: 'retained', note: text }, mine), 'note', message);
  const answer = { agrees: true, tag: 'x', comment: text };
  refuses(await client.post('/confirmation', answer, confirmation), 'comment', message);
});

texts('a reason in the moves of an export obeys the same rule', async () => {
  const { mine, proposed } = await openParties();
  await client.patch(proposed.links.self, { status: 'interviewing', reason: 'fits' }, mine);
  const page = (await client.get('/workspace/export', mine)).body;
  const at = page.placements.findIndex(({ id }: Body) => id === proposed.id);
  page.placements[at].transitions[0].reason = 'A\u202eB';
  const answer = await client.post('/batch', page);
  refuses(answer, `placements[${at}].transitions[0].reason`, /direction of text/);
});

texts('a note and a comment keep tabs and line breaks', async () => {
  const { at, mine, confirmation } = await openParties();
  const note = 'One\n\tTwo\r\nThree';
  const { body } = await client.post('/candidates', toBody.candidate({ note }));
  assert.is(body.candidate.note, note);
  assert.is((await client.post(`${at}/outcome`, { result: 'retained', note }, mine)).status, 200);
  const { tag } = (await client.get('/confirmation', confirmation)).body;
  const answered = await client.post('/confirmation', { agrees: true, tag, comment: note }, confirmation);
  assert.is(answered.body.answer.comment, note);
});

texts('a name is one line without tabs', async () => {
  for (const [name, word] of [
    ['A\nB', /line break/],
    ['A\r\nB', /line break/],
    ['A\tB', /a tab/],
  ] as const)
    refuses(await client.post('/candidates', toBody.candidate({ name })), 'name', word);
});

texts('a byte order mark and outer white space are trimmed before any check', async () => {
  const sent = toBody.candidate({
    name: '\ufeff Ann\u00a0 ',
    skills: ['\ufeffSQL\n'],
    note: '\n Two\nlines \n',
  });
  const { candidate } = (await client.post('/candidates', sent)).body;
  assert.is(candidate.name, 'Ann');
  assert.equal(candidate.skills, ['SQL']);
  assert.is(candidate.note, 'Two\nlines');
  const long = await client.post('/candidates', toBody.candidate({ name: ` ${'x'.repeat(200)} ` }));
  assert.is(long.status, 201, 'the limit applies to the stored text');
});

texts('a change is trimmed too', async () => {
  const { workspace, candidate } = (await client.post('/candidates', toBody.candidate())).body;
  const { body } = await client.patch(candidate.links.self, { title: '\ufeffNurse ' }, inside(workspace));
  assert.is(body.candidate.title, 'Nurse');
});

texts('characters that languages and emoji need are stored as they were sent', async () => {
  const names = [
    'علی\u200cرضا',
    '\u200fשלום\u200e (A)',
    '👩\u200d⚕️ Zoë',
    '🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}',
    'ｱﾆ',
    '!',
  ];
  for (const name of names) {
    const { body, text } = await client.post('/candidates', toBody.candidate({ name: `x${name}` }));
    assert.is(body.candidate?.name, `x${name}`, text);
  }
});

texts('an unknown name with deceptive characters is not repeated as it was sent', async () => {
  const { body } = await client.post('/candidates', { ...toBody.candidate(), 'no\u202ete': 'x' });
  assert.is(body.warnings[0].path, 'no\ufffdte');
});

texts.run();
