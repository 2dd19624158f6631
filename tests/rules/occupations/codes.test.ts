import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { client } from '../../support/in-process.ts';

const codes = suite('occupation codes over HTTP');

const refusalOf = async (onetCode: string, path = '/candidates'): Promise<string> => {
  const { status, body } = await client.post(path, { name: 'Ada Example', onetCode });
  assert.is(status, 400);
  return body.issues.find((issue: { path: string }) => issue.path === 'onetCode').message;
};

/** What is sent, and the code that its refusal names first. */
const meant: [string, string][] = [
  ['29-1141', '29-1141.00'],
  ['291141', '29-1141.00'],
  ['151252.00', '15-1252.00'],
  ['15-1252.0', '15-1252.00'],
  ['15125200', '15-1252.00'],
  ['15.1252', '15-1252.00'],
  ['132011', '13-2011.00'],
  [' 53-3032 ', '53-3032.00'],
];
for (const [sent, code] of meant)
  codes(`the refusal of "${sent}" names ${code} first`, async () => {
    assert.is(/\d{2}-\d{4}\.\d{2}/.exec((await refusalOf(sent)).replace(sent.trim(), ''))?.[0], code);
  });

codes('the refusal of a SOC code names the other codes under it as well', async () => {
  assert.match(await refusalOf('29-1141'), /29-1141\.01.*29-1141\.03/);
});

for (const sent of ['15-1132.00', '15-1132', '151132', '151132.00', '15.1132']) {
  codes(`the refusal of "${sent}", a code of 2010, names its successor`, async () => {
    assert.match(await refusalOf(sent), /2010.*15-1252\.00 \(Software Developers\)/);
  });
  for (const list of ['/candidates', '/job-orders', '/placements'])
    codes(`${list}?occupation=${sent} is empty and names the successor`, async () => {
      const { body } = await client.get(`${list}?occupation=${sent}`);
      assert.is(body.type, 'EMPTY');
      assert.match(body.message, /2010.*15-1252\.00 \(Software Developers\)/);
    });
  codes(`/occupations/${sent} names the successor`, async () => {
    assert.match(
      (await client.get(`/occupations/${sent}`)).body.message,
      /15-1252\.00 \(Software Developers\)/,
    );
  });
  codes(`/occupations?q=${sent} names the successor`, async () => {
    const { body } = await client.get(`/occupations?q=${sent}`);
    assert.match(body.message, /15-1252\.00 \(Software Developers\)/);
  });
  codes(`POST /titles names the successor of "${sent}"`, async () => {
    const { body } = await client.post('/titles', { titles: [sent] });
    assert.match(body.titles[0].message, /15-1252\.00 \(Software Developers\)/);
  });
}

codes('a filter by a code without its hyphen names the code that was meant', async () => {
  const { body } = await client.get('/candidates?occupation=151252');
  assert.match(body.message, /send 15-1252\.00 \(Software Developers\)/);
});

codes('a SOC code that still has occupations stays a filter', async () => {
  assert.is((await client.get('/candidates?occupation=29-1141')).body.type, 'OK');
});

codes('an occupation is named for its code without a hyphen', async () => {
  assert.match((await client.get('/occupations/151252')).body.message, /15-1252\.00 \(Software Developers\)/);
});

codes('a search for a code in another form finds it', async () => {
  assert.is((await client.get('/occupations?q=151252')).body.occupations[0].id, '15-1252.00');
});

codes('a number that is no code has the nearest', async () => {
  assert.match(await refusalOf('99-9999.99'), /nearest are/);
});

codes.run();
