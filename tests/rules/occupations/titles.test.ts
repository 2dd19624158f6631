import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { everydayTitles } from '../../support/everyday-titles.ts';
import type { Body } from '../../support/http.ts';
import { client } from '../../support/in-process.ts';
import { messyTitles } from '../../support/messy-titles.ts';
import { pluck } from '../../support/rows.ts';

const titles = suite('job titles to codes over HTTP');

const code = async (...sent: unknown[]): Promise<Body[]> => {
  const { status, body } = await client.post('/titles', { titles: sent });
  assert.is(status, 200, JSON.stringify(sent));
  assert.is(body.type, 'OK', JSON.stringify(sent));
  return body.titles;
};

titles('answers each title in order, with the codes that the search for that title finds', async () => {
  const sent = messyTitles.map(([title]) => title);
  const coded: Body[] = [];
  for (let at = 0; at < sent.length; at += 100) coded.push(...(await code(...sent.slice(at, at + 100))));
  assert.equal(pluck(coded, 'title'), sent);
  for (const { title, certainty, message, occupations } of coded) {
    assert.ok(occupations.length <= (certainty === 'sure' ? 1 : 3), title);
    for (const [at, { summary }] of occupations.entries())
      assert.is(summary !== undefined, at === 0, `${title}: only the first has a summary`);
    for (const { confidence } of occupations)
      assert.ok(confidence >= 0 && confidence <= 1 && /^[01](\.\d\d?)?$/.test(confidence), title);
    assert.is(message === undefined, certainty === 'sure', title);
    const { body } = await client.get(`/occupations?q=${encodeURIComponent(title)}&limit=3`);
    if (occupations.length === 0) {
      assert.is(body.type, 'EMPTY', title);
      continue;
    }
    const found: Body[] = body.occupations.slice(0, certainty === 'sure' ? 1 : 3);
    const expected = found.map(({ summary, ...row }, at) => (at === 0 ? { ...row, summary } : row));
    assert.equal(occupations, expected, title);
    assert.equal(body.certainty, certainty, title);
    assert.equal(body.message, message, title);
  }
});

titles('a hundred titles over MCP fit a context window', async () => {
  const sent = [...messyTitles, ...everydayTitles].map(([title]) => title);
  for (let at = 0; at + 100 <= sent.length; at += 100) {
    const { content, structuredContent } = await client.tool('codeTitles', {
      titles: sent.slice(at, at + 100),
    });
    assert.is(structuredContent.titles.length, 100);
    assert.ok(content[0].text.length <= 60_000, `${content[0].text.length} characters from ${at}`);
  }
});

titles('an unsure answer says what would decide, before the rows', async () => {
  const { body, text } = await client.get('/occupations?q=coordinator&limit=3');
  assert.is(body.certainty, 'unsure');
  assert.match(body.message, /^Not sure.*(trade|industry|duties)/);
  assert.ok(text.indexOf('"certainty"') < text.indexOf('"occupations"'));
  assert.not('certainty' in (await client.get('/occupations?majorGroup=15')).body);
});

titles('meaningless titles are unsure, and have no codes or none to trust', async () => {
  const empty = ['', '   ', '🦊🦊', '日本語', 'инженер-программист', 'zzqxv', '!!! ###', 'of the and'];
  for (const { title, certainty, occupations } of await code(...empty)) {
    assert.is(certainty, 'unsure', title);
    assert.equal(occupations, [], title);
  }
  const advertisement = 'We are hiring! Great team, great pay, apply now. '.repeat(4);
  const [others] = await code(advertisement);
  assert.is.not(others.certainty, 'sure');
});

titles('a title in an unsupported script or language is reported, over HTTP and MCP', async () => {
  const unread = '日本語, инженер, Krankenschwester, Менеджер IT, 护士 nurse, médecin, Acme welder'.split(
    ', ',
  );
  const read = 'enfermera, cocinero de línea, plumbr, café manager, coordinator, Sr. SWE (backend)'.split(
    ', ',
  );
  for (const { title, message } of await code(...unread, ...read)) {
    const { body } = await client.get(`/occupations?q=${encodeURIComponent(title)}`);
    for (const text of [message, body.message])
      assert.is(/reads English and common Spanish job words/.test(text ?? ''), unread.includes(title), title);
  }
});

titles('a code answers itself, a SOC code the codes under it, and a retired code its successor', async () => {
  const sent = [' 15-1252.00 ', '15-1252', ' 15-1299 ', '15-1132.00', '99-9999.00'];
  const [whole, one, several, gone, unknown] = await code(...sent);
  assert.equal(whole!.occupations, one!.occupations);
  assert.is(one!.occupations.length, 1);
  assert.is(one!.occupations[0].id, '15-1252.00');
  assert.is(one!.occupations[0].confidence, 1);
  assert.is(one!.certainty, 'sure');
  const { body } = await client.get('/occupations?q=15-1299&limit=3');
  const toIds = (rows: Body[]) => pluck(rows, 'id');
  assert.equal(toIds(several!.occupations), toIds(body.occupations));
  assert.is(several!.certainty, 'unsure');
  assert.match(gone!.message, /15-1132\.00.*15-1252\.00 \(Software Developers\)/);
  assert.equal(gone!.occupations, []);
  assert.equal(unknown!.occupations, []);
});

titles('refuses a missing, empty or too long list and an invalid title, and names it', async () => {
  const wrong: [unknown, string][] = [
    [undefined, 'titles'],
    ['nurse', 'titles'],
    [[], 'titles'],
    [Array(101).fill('nurse'), 'titles'],
    [Array(20_000).fill(1), 'titles'],
    [['nurse', 5], 'titles[1]'],
    [[null], 'titles[0]'],
    [[['nurse']], 'titles[0]'],
    [['x'.repeat(201)], 'titles[0]'],
    [['word '.repeat(200)], 'titles[0]'],
  ];
  for (const [sent, path] of wrong) {
    const { status, body } = await client.post('/titles', { titles: sent });
    assert.is(status, 400, path);
    assert.is(body.type, 'BLOCKED', path);
    assert.is(body.code, 'invalid_request', path);
    assert.is(body.issues[0].path, path);
  }
  assert.is((await code('x'.repeat(200)))[0]!.certainty, 'unsure');
  assert.is((await code('😀'.repeat(200)))[0]!.certainty, 'unsure');
});

titles('accepts no key and creates no workspace', async () => {
  const body = { titles: ['nurse'] };
  const { status, headers } = await client.post('/titles', body, { 'X-Workspace': 'ws_nobody' });
  assert.is(status, 200);
  assert.not(headers.has('x-workspace'));
  assert.is(headers.get('cache-control'), 'no-store');
});

titles.run();
