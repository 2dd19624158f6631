import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { onetCode, refuses, whole } from '../support/creates.ts';
import { type Client, connect } from '../support/http.ts';
import { type SharedServer, useServer } from '../support/server.ts';

let server: SharedServer;
let client: Client;
const values = suite('bad values');
values.before(async () => {
  server = await useServer();
  client = await connect(server.origin);
});

/** Free text members. */
const texts: [string, string][] = [
  ['/candidates', 'name'],
  ['/candidates', 'metro'],
  ['/job-orders', 'client'],
  ['/job-orders', 'title'],
  ['/placements', 'candidateId'],
  ['/placements', 'jobOrderId'],
  ['/placements', 'feeModel'],
];

values('text must be there, must be more than white space, and ends at 200 characters', async () => {
  for (const [path, name] of texts) {
    const sent = (value: string) => ({ ...whole[path], [name]: value });
    await refuses(client, path, sent(''), name, /must not be empty/);
    for (const blank of [' ', '\t\n', '\u00a0\u2003']) {
      await refuses(client, path, sent(blank), name, /must hold more than white space/);
    }
    await refuses(client, path, sent('x'.repeat(201)), name, /at most 200 characters/);
    assert.is((await client.post(path, sent('x'.repeat(200)))).status, 201, name);
  }
});

values('a character outside the basic plane counts as one, as maxLength of the contract does', async () => {
  const { status, body } = await client.post('/candidates', { name: '😀'.repeat(200), onetCode });
  assert.is(status, 201, JSON.stringify(body.issues));
  await refuses(
    client,
    '/candidates',
    { name: '😀'.repeat(201), onetCode },
    'name',
    /at most 200 characters/,
  );
});

values('half of a surrogate pair is refused, a whole one is kept', async () => {
  for (const [path, name] of texts) {
    for (const half of ['a\\ud800', '\\udc00b', '\\udc00\\ud800']) {
      const json = JSON.stringify({ ...whole[path], [name]: '@' }).replace('"@"', `"${half}"`);
      const { status, body } = await client.post(path, json);
      assert.equal([status, body.issues?.[0].path], [400, name], half);
      assert.match(body.issues[0].message, /well-formed Unicode/);
    }
  }
  const { body } = await client.post('/candidates', { name: 'Zoë 😀 𝒳', onetCode });
  assert.is(body.candidate.name, 'Zoë 😀 𝒳');
});

values('skills: at most 50, of 1 to 80 characters', async () => {
  const sent = (skills: string[]) => ({ name: 'A', onetCode, skills });
  const fifty = Array.from({ length: 50 }, (_, n) => `skill ${n}`);
  await refuses(client, '/candidates', sent([...fifty, 'more']), 'skills', /at most 50 skills/);
  await refuses(client, '/candidates', sent(['Go', 'x'.repeat(81)]), 'skills[1]', /at most 80 characters/);
  await refuses(client, '/candidates', sent(['']), 'skills[0]', /must not be empty/);
  await refuses(client, '/candidates', sent(['Go', ' ']), 'skills[1]', /more than white space/);
  const { body } = await client.post('/candidates', sent([...fifty.slice(1), 'x'.repeat(80)]));
  assert.is(body.candidate.skills.length, 50);
  assert.is((await client.post('/candidates', sent([]))).status, 201);
});

values('billRateUsdHour: above 0, at most 10,000, a number', async () => {
  const json = (rate: string) =>
    JSON.stringify({ ...whole['/job-orders'], billRateUsdHour: 0 }).replace(/0}$/, `${rate}}`);
  const wrong = {
    '0': /above 0/,
    '-0': /above 0/,
    '-1': /above 0/,
    '10000.01': /at most 10000/,
    '1e999': /at most 10000/,
  };
  for (const [rate, message] of Object.entries({ ...wrong, '"5"': /must be a number/ })) {
    const { status, body } = await client.post('/job-orders', json(rate));
    assert.equal([status, body.issues?.[0].path], [400, 'billRateUsdHour'], rate);
    assert.match(body.issues[0].message, message);
  }
  for (const rate of ['0.01', '10000', '1e2', '87.5']) {
    const { body } = await client.post('/job-orders', json(rate));
    assert.is(body.jobOrder?.billRateUsdHour, Number(rate), rate);
  }
});

values('startDate: a day that exists in the calendar', async () => {
  const sent = (startDate: string) => ({ ...whole['/placements'], startDate });
  for (const day of ['2026-02-31', '2026-02-29', '2100-02-29', '2026-04-31', '2026-06-31']) {
    await refuses(client, '/placements', sent(day), 'startDate', /exists in the calendar/);
  }
  const shapes = [
    '',
    ' ',
    '2026',
    '2026-1-1',
    '20260101',
    '01/02/2026',
    '2026-01-01T00:00:00Z',
    '2026-13-01',
  ];
  for (const text of [
    ...shapes,
    '2026-00-10',
    '2026-01-32',
    ' 2026-01-01',
    '2026-01-01\n',
    'tomorrow',
    '+02026-01-01',
  ]) {
    await refuses(client, '/placements', sent(text), 'startDate', /YYYY-MM-DD/);
  }
  for (const day of ['2024-02-29', '2000-02-29', '2026-12-31', '0001-01-01', '9999-12-31']) {
    const { status, body } = await client.post('/placements', sent(day));
    assert.equal([status, body.placement?.startDate], [201, day]);
  }
});

values('onetCode: an unknown code is answered with the nearest there are', async () => {
  for (const [path, sent] of Object.entries(whole)) {
    await refuses(
      client,
      path,
      { ...sent, onetCode: '15-1252.09' },
      'onetCode',
      /15-1252\.00.*\/occupations\?q=/,
    );
    await refuses(
      client,
      path,
      { ...sent, onetCode: '99-9999.99' },
      'onetCode',
      /nearest are \d\d-\d{4}\.\d\d, \d\d-/,
    );
  }
});

values('onetCode: a value that is no string is told what it must be', async () => {
  for (const [path, sent] of Object.entries(whole)) {
    for (const value of [null, true, {}, 15, []]) {
      await refuses(client, path, { ...sent, onetCode: value }, 'onetCode', /must be a string/);
    }
  }
});

values('onetCode: a code out of shape is answered with a code that is right', async () => {
  for (const code of ['15-1252', '151252.00', '15-1252.0', '15-12 52.00', '', '１５-1252.00']) {
    await refuses(
      client,
      '/candidates',
      { name: 'A', onetCode: code },
      'onetCode',
      /(such as|nearest are) \d\d-\d{4}\.\d\d/,
    );
  }
});

values.run();
