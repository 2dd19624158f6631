import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { client } from '../../support/in-process.ts';
import { dayFromNow, makeSandbox, onetCode, toBody } from '../../support/sandbox.ts';

const texts = suite('texts that a caller stores');

texts('a note of a record, a note of an outcome and a comment keep tabs and line breaks', async () => {
  const note = 'One\n\tTwo\r\nThree';
  const { mine, candidates, placements } = await makeSandbox(client, {
    candidates: [toBody.candidate({ ref: 'a', note })],
    jobOrders: [toBody.jobOrder({ ref: 'o' })],
    placements: [{ candidateId: '#a', jobOrderId: '#o', onetCode, startDate: dayFromNow(-10) }],
  });
  assert.is(candidates[0].note, note);
  const { self } = placements[0].links;
  assert.is((await client.post(`${self}/outcome`, { result: 'retained', note }, mine)).status, 200);
  const asked = await client.post(`${self}/confirmations`, { party: 'client' }, mine);
  const confirmation = { 'X-Confirmation': asked.body.confirmation.token };
  const { tag } = (await client.get('/confirmation', confirmation)).body;
  const answered = await client.post('/confirmation', { agrees: true, tag, comment: note }, confirmation);
  assert.is(answered.body.answer.comment, note);
});

texts('a name is one line without tabs', async () => {
  for (const [name, word] of [
    ['A\nB', /line break/],
    ['A\r\nB', /line break/],
    ['A\tB', /a tab/],
  ] as const) {
    const { body } = await client.post('/candidates', toBody.candidate({ name }));
    assert.is(body.issues[0].path, 'name');
    assert.match(body.issues[0].message, word);
  }
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
