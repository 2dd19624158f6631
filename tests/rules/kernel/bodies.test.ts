import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { client } from '../../support/in-process.ts';
import { pluck, words } from '../../support/rows.ts';
import { onetCode } from '../../support/sandbox.ts';

/** An existing occupation code. */
/** A body with every member, for each address that creates a record. */
const whole: Record<string, Record<string, unknown>> = {
  '/candidates': { name: 'A', onetCode, skills: ['Go'], metro: 'Columbus, OH' },
  '/job-orders': { client: 'Example', title: 'Developer', onetCode, billRateUsdHour: 90 },
  '/placements': {
    candidateId: 'cand_001',
    jobOrderId: 'job_001',
    onetCode,
    startDate: '2026-02-28',
    feeModel: 'perm-fee',
  },
};
/** The required members of each create. */
const required: Record<string, string[]> = {
  '/candidates': ['name', 'onetCode'],
  '/job-orders': ['client', 'title', 'onetCode'],
  '/placements': ['candidateId', 'jobOrderId', 'onetCode'],
};

/** Asserts that a create is refused for exactly one member, with a message like `message`. */
async function refuses(path: string, sent: object, at: string, message: RegExp): Promise<void> {
  const { status, body, text, headers } = await client.post(path, sent);
  const what = `${path} ${JSON.stringify(sent).slice(0, 120)}: ${text.slice(0, 300)}`;
  assert.is(status, 400, what);
  assert.is(body.type, 'BLOCKED', what);
  assert.equal(pluck(body.issues, 'path'), [at], what);
  assert.match(body.issues[0].message, message, what);
  assert.is(headers.get('x-workspace'), null, 'no workspace is made');
}

const bodies = suite('bodies of creates');

bodies('refuses a body that is not one JSON object in UTF-8', async () => {
  const broken = [' ', '{', '{"name":"a"', "{'name':'a'}", 'name=a&onetCode=15-1252.00', '{"a":1}{"b":2}'];
  const bytes = [
    [0x7b, 0x22, 0xff, 0x22, 0x7d],
    [0xfe, 0xff, 0, 0x7b],
  ].map((one) => new Uint8Array(one));
  const others = ['[]', '[{}]', 'null', '"text"', '1', 'true'];
  for (const path of Object.keys(whole)) {
    for (const sent of [...broken, '{"a":NaN}', '\u0000', ...bytes, ...others]) {
      const { status, body, headers } = await client.post(path, sent);
      assert.is(status, 400, `${path} ${sent}`);
      assert.is(body.type, 'BLOCKED', `${path} ${sent}`);
      assert.is(headers.get('x-workspace'), null, `${path} ${sent}`);
      const isJson = others.includes(sent as string);
      assert.match(body.reason, isJson ? /must be one JSON object/ : /Send one JSON object in UTF-8/);
    }
  }
});

bodies('names each required member that is missing, and no optional one', async () => {
  for (const [path, sent] of Object.entries(whole)) {
    for (const name of Object.keys(sent)) {
      const { [name]: _, ...rest } = sent;
      if (required[path]!.includes(name)) await refuses(path, rest, name, /is missing; send it/);
      else assert.is((await client.post(path, rest)).status, 201, `${path} without ${name}`);
    }
  }
});

bodies('names a member of the wrong type, and the type that it must have', async () => {
  const values: unknown[] = [null, true, {}, 5, 'text', [1]];
  for (const [path, sent] of Object.entries(whole)) {
    for (const [name, right] of Object.entries(sent)) {
      const isRight = (value: unknown) =>
        typeof value === typeof right && value !== null && Array.isArray(value) === Array.isArray(right);
      for (const value of values.filter((one) => !isRight(one))) {
        const type = Array.isArray(right)
          ? /must be an array of strings/
          : new RegExp(`must be a ${typeof right}`);
        await refuses(path, { ...sent, [name]: value }, name, type);
      }
    }
  }
  for (const value of [1, null, {}, []]) {
    const skills = { name: 'A', onetCode, skills: ['Go', value] };
    await refuses('/candidates', skills, 'skills[1]', /must be a string/);
  }
});

bodies('ignores unknown members with a warning, and never stores them', async () => {
  const json = `{"name":"A","onetCode":"${onetCode}","__proto__":{"polluted":1},"constructor":{"a":1},"id":"cand_001","status":"placed","example":true,"toString":1}`;
  const { status, body } = await client.post('/candidates', json);
  assert.is(status, 201);
  const unknown = ['__proto__', 'constructor', 'id', 'status', 'example', 'toString'];
  assert.equal(pluck(body.warnings, 'path').sort(), unknown.sort());
  for (const { message } of body.warnings) assert.match(message, /not known here and is not read/);
  const { candidate } = body;
  assert.is.not(candidate.id, 'cand_001');
  assert.is(candidate.status, 'available');
  assert.is(candidate.example, false);
  assert.not.ok(Object.hasOwn(candidate, 'constructor') || 'polluted' in candidate);
  const missing = await client.post('/candidates', '{"__proto__":{"name":"A","onetCode":"15-1252.00"}}');
  assert.is(missing.status, 400, 'inherited members do not count');
});

/** Free text members. */
const texts: [string, string][] = [
  ...['name', 'metro'].map((name): [string, string] => ['/candidates', name]),
  ...['client', 'title'].map((name): [string, string] => ['/job-orders', name]),
  ...['candidateId', 'jobOrderId', 'feeModel'].map((name): [string, string] => ['/placements', name]),
];

bodies('text has a visible character, at most 200 characters, and is well-formed', async () => {
  for (const [path, name] of texts) {
    const sent = (value: string) => ({ ...whole[path], [name]: value });
    await refuses(path, sent(''), name, /must not be empty/);
    for (const blank of [' ', '\t\n', '\u00a0\u2003'])
      await refuses(path, sent(blank), name, /must not be empty/);
    await refuses(path, sent('x'.repeat(201)), name, /at most 200 characters/);
    assert.is((await client.post(path, sent('x'.repeat(200)))).status, 201, name);
    for (const half of ['a\\ud800', '\\udc00b', '\\udc00\\ud800']) {
      const json = JSON.stringify(sent('@')).replace('"@"', `"${half}"`);
      const { status, body } = await client.post(path, json);
      assert.is(status, 400, half);
      assert.equal(body.issues?.[0].path, name, half);
      assert.match(body.issues[0].message, /well-formed Unicode/);
    }
  }
  const named = (name: string) => ({ name, onetCode });
  const { body } = await client.post('/candidates', named('Zoë 😀 𝒳'));
  assert.is(body.candidate.name, 'Zoë 😀 𝒳');
  assert.is(
    (await client.post('/candidates', named('😀'.repeat(200)))).status,
    201,
    'length counts code points',
  );
  await refuses('/candidates', named('😀'.repeat(201)), 'name', /at most 200 characters/);
});

bodies('skills: at most 50, of 1 to 80 characters', async () => {
  const sent = (skills: string[]) => ({ name: 'A', onetCode, skills });
  const fifty = Array.from({ length: 50 }, (_, n) => `skill ${n}`);
  const wrong: [string[], string, RegExp][] = [
    [[...fifty, 'more'], 'skills', /at most 50 skills/],
    [['Go', 'x'.repeat(81)], 'skills[1]', /at most 80 characters/],
    [[''], 'skills[0]', /must not be empty/],
    [['Go', ' '], 'skills[1]', /must not be empty/],
  ];
  for (const [skills, at, message] of wrong) await refuses('/candidates', sent(skills), at, message);
  const { body } = await client.post('/candidates', sent([...fifty.slice(1), 'x'.repeat(80)]));
  assert.is(body.candidate.skills.length, 50);
  assert.is((await client.post('/candidates', sent([]))).status, 201);
});

bodies('billRateUsdHour: above 0, at most 10,000,000, a number', async () => {
  const json = (rate: string) =>
    JSON.stringify({ ...whole['/job-orders'], billRateUsdHour: 0 }).replace(/0}$/, `${rate}}`);
  const above = Object.fromEntries(['0', '-0', '-1'].map((rate) => [rate, /above 0/]));
  const most = { '10000000.01': /at most 10000000/, '1e999': /at most 10000000/, '"5"': /must be a number/ };
  for (const [rate, message] of Object.entries({ ...above, ...most })) {
    const { status, body } = await client.post('/job-orders', json(rate));
    assert.is(status, 400, rate);
    assert.is(body.issues?.[0].path, 'billRateUsdHour', rate);
    assert.match(body.issues[0].message, message);
  }
  for (const rate of ['0.01', '10000000', '1e2', '87.5']) {
    const { body } = await client.post('/job-orders', json(rate));
    assert.is(body.jobOrder?.billRateUsdHour, Number(rate), rate);
  }
});

bodies('startDate: a day that exists in the calendar', async () => {
  const sent = (startDate: string) => ({ ...whole['/placements'], startDate });
  for (const day of words('2026-02-31 2026-02-29 2100-02-29 2026-04-31'))
    await refuses('/placements', sent(day), 'startDate', /exists in the calendar/);
  const shapes = words(
    '2026 2026-1-1 20260101 01/02/2026 2026-01-01T00:00:00Z 2026-13-01 2026-00-10 tomorrow',
  );
  for (const text of [...shapes, '', ' ', ' 2026-01-01', '2026-01-01\n', '+02026-01-01'])
    await refuses('/placements', sent(text), 'startDate', /YYYY-MM-DD/);
  for (const day of words('2024-02-29 2000-02-29 2026-12-31 0001-01-01 9999-12-31')) {
    const { status, body } = await client.post('/placements', sent(day));
    assert.is(status, 201);
    assert.equal(body.placement?.startDate, day);
  }
});

bodies('answers an unknown or malformed onetCode with codes that exist', async () => {
  for (const [path, sent] of Object.entries(whole)) {
    const unknown = {
      '15-1252.09': /15-1252\.00.*\/occupations\?q=/,
      '99-9999.99': /nearest are \d\d-\d{4}\.\d\d, /,
    };
    for (const [code, message] of Object.entries(unknown))
      await refuses(path, { ...sent, onetCode: code }, 'onetCode', message);
  }
  for (const code of ['15-1252', '151252.00', '15-1252.0', '15-12 52.00', '', '１５-1252.00'])
    await refuses(
      '/candidates',
      { name: 'A', onetCode: code },
      'onetCode',
      /(such as|nearest are|send) \d\d-\d{4}\.\d\d/,
    );
});

bodies.run();
