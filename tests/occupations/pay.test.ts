import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { client, server } from '../support/front.ts';
import type { Body } from '../support/http.ts';
import { dayFromNow, strict, toBody } from '../support/sandbox.ts';

const pay = suite('pay of occupations');
const file = join(import.meta.dirname, '..', '..', 'content', 'wages', 'oews-2024.tsv');

/** The release by code and group, read line by line. */
const release = new Map<string, Record<string, string>>();
const [head = '', ...lines] = readFileSync(file, 'utf8').split('\n');
for (const line of lines.filter(Boolean)) {
  const cells = line.split('\t');
  const row = Object.fromEntries(head.split('\t').map((name, at) => [name, cells[at] ?? '']));
  release.set(`${row.code} ${row.group}`, row);
}

const names = { p10: '10', p25: '25', median: '50', p75: '75', p90: '90' };
const codes: string[] = [];
for (let cursor = ''; ; ) {
  const { body } = await client.get(`/occupations?limit=200${cursor && `&cursor=${cursor}`}`);
  codes.push(...body.occupations.map(({ id }: Body) => id));
  if (!body.nextCursor) break;
  cursor = encodeURIComponent(body.nextCursor);
}

pay('the figures of every code match the release', async () => {
  const count = { detailed: 0, broad: 0, none: 0, median: 0, hourly: 0 };
  for (const code of codes) {
    const told = (await client.get(`/occupations/${code}`)).body.occupation.pay;
    const soc = code.slice(0, 7);
    const [detailed, broad] = [release.get(`${soc} detailed`), release.get(`${soc.slice(0, 6)}0 broad`)];
    const row = detailed ?? broad;
    count[detailed ? 'detailed' : broad ? 'broad' : 'none'] += 1;
    assert.is(told?.soc, row?.code, code);
    if (!row) continue;
    let isTopCoded = false;
    for (const [member, letter] of [
      ['hourly', 'h'],
      ['annual', 'a'],
    ] as const) {
      for (const [name, percent] of Object.entries(names)) {
        const text = row[letter + percent]!;
        const figure = told[member]?.[name];
        if (text === '*') assert.is(told[member], undefined, code);
        else if (text === '#') assert.is(figure, null, code);
        else assert.is(String(figure), String(Number(text)), `${code} ${member} ${name}`);
        isTopCoded ||= text === '#';
      }
    }
    assert.is(told.topCoded, isTopCoded || undefined, code);
    if ((told.hourly ?? told.annual).median !== null) count.median += 1;
    if (told.hourly && told.hourly.median !== null) count.hourly += 1;
  }
  assert.equal(count, { detailed: 962, broad: 34, none: 20, median: 973, hourly: 910 });
});

pay('every format shows the pay, with its source', async () => {
  const { body } = await client.get('/occupations/29-1141.00');
  const { hourly, release: of, source } = body.occupation.pay;
  assert.is(hourly.p10, 31.75);
  assert.is(hourly.median, 45);
  assert.is(hourly.p90, 65.06);
  assert.match(`${source} ${of}`, /Bureau of Labor Statistics.*May 2024/);
  const tool = await client.tool('getOccupation', { id: '29-1141.00' });
  assert.equal(tool.structuredContent.occupation.pay, body.occupation.pay);
  for (const [address, shape] of [
    ['/occupations/29-1141.00.md', /\$31\.75.*\$45\.00.*\$65\.06.*Bureau of Labor Statistics/s],
    [
      '/occupations/29-1141.00.html',
      /\$31\.75[\s\S]*\$45\.00[\s\S]*\$65\.06[\s\S]*Bureau of Labor Statistics/,
    ],
    ['/occupations/25-1011.00.md', /Pay a year .*: \$46,460, \$63,040, \$97,270, \$140,360, \$210,530 \(/],
    ['/occupations/29-1243.00.md', /: \$91\.21(, above what is published){4} \(/],
    ['/onet.json', /Bureau of Labor Statistics.*public domain/],
  ] as const)
    assert.match(await (await fetch(server.origin + address)).text(), shape, address);
  const top = (await client.get('/occupations/11-1011.00')).body.occupation.pay;
  assert.is(top.hourly.p90, null);
  assert.is(top.annual.p90, null);
  assert.is(top.topCoded, true);
  assert.is((await client.get('/occupations/55-3016.00')).body.occupation.pay, undefined);
  assert.match(readFileSync(join(import.meta.dirname, '..', '..', 'NOTICE'), 'utf8'), /oews-2024\.tsv/);
});

pay('an unusual rate gets advice, and is not refused', async () => {
  const onetCode = '29-1141.00';
  const rows: [object, string[]][] = [
    [{ payRateUsdHour: 31.75 }, []],
    [{ payRateUsdHour: 31.74 }, ['payRateUsdHour']],
    [{ payRateUsdHour: 65.07, billRateUsdHour: 31.74 }, ['payRateUsdHour', 'billRateUsdHour']],
    [{ billRateUsdHour: 900 }, []],
    [{ onetCode: '11-1011.00', payRateUsdHour: 900 }, []],
    [{ onetCode: '55-3016.00', payRateUsdHour: 1 }, []],
  ];
  for (const [more, paths] of rows) {
    const order = toBody.jobOrder({ onetCode, startDate: dayFromNow(3), ...more });
    const { status, body } = await client.post('/job-orders', order, strict);
    const told = (body.warnings ?? []).map(({ code, path, advice }: Body) => [code, path, advice]);
    const expected = paths.map((path) => ['unusual_rate', path, true]);
    assert.is(status, 201, JSON.stringify(more));
    assert.equal(told, expected, JSON.stringify(more));
  }
});

pay.run();
