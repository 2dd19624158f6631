import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Body } from '../../support/http.ts';
import { client } from '../../support/in-process.ts';
import { dayFromNow, makeSandbox, strict, toBody } from '../../support/sandbox.ts';

const pay = suite('pay of occupations');
const file = join(import.meta.dirname, '..', '..', '..', 'content', 'wages', 'oews-2024.tsv');

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

pay('the Markdown of an occupation shows its pay, with its source', async () => {
  const shown: [address: string, text: RegExp][] = [
    ['/occupations/29-1141.00.md', /\$31\.75.*\$45\.00.*\$65\.06.*Bureau of Labor Statistics/],
    ['/occupations/25-1011.00.md', /Pay a year .*: \$46,460, \$63,040, \$97,270, \$140,360, \$210,530 \(/],
    ['/occupations/29-1243.00.md', /: \$91\.21(, above what is published){4} \(/],
  ];
  for (const [address, text] of shown) assert.match((await client.get(address)).text, text, address);
});

pay('names its source', async () => {
  const { body } = await client.get('/occupations/29-1141.00');
  const { release: of, source } = body.occupation.pay;
  assert.match(`${source} ${of}`, /Bureau of Labor Statistics.*May 2024/);
  assert.match((await client.get('/onet.json')).text, /Bureau of Labor Statistics.*public domain/);
  assert.match(readFileSync(join(import.meta.dirname, '..', '..', '..', 'NOTICE'), 'utf8'), /oews-2024\.tsv/);
});

const nurse = '29-1141.00';
const chief = '11-1011.00';
const unpaid = '55-3016.00';

/** What an order states, and the members that get advice. */
const stated: [order: object, paths: string[]][] = [
  [{ payRateUsdHour: 31.75 }, []],
  [{ payRateUsdHour: 31.74 }, ['payRateUsdHour']],
  [{ payRateUsdHour: 65.07 }, ['payRateUsdHour']],
  [{ payRateUsdHour: 40, payRateMaxUsdHour: 65.07 }, ['payRateMaxUsdHour']],
  [{ billRateUsdHour: 31.74 }, ['billRateUsdHour']],
  [{ billRateUsdHour: 900 }, []],
  [{ salaryUsdYear: 66_030 }, []],
  [{ salaryUsdYear: 66_029 }, ['salaryUsdYear']],
  [{ salaryUsdYear: 70_000, salaryMaxUsdYear: 135_321 }, ['salaryMaxUsdYear']],
  [{ salaryUsdYear: 33_015, hoursPerWeek: 20 }, []],
  [{ salaryUsdYear: 33_014, hoursPerWeek: 20 }, ['salaryUsdYear']],
  [{ onetCode: chief, payRateUsdHour: 900 }, []],
  [{ onetCode: unpaid, payRateUsdHour: 1, salaryUsdYear: 1_000 }, []],
];

/** Lists the paths of advice of a code in a reply. */
const listPaths = ({ warnings = [] }: Body, wanted = 'unusual_rate') =>
  warnings.filter(({ code }: Body) => code === wanted).map(({ path }: Body) => path);

pay('advises of pay outside the usual pay of the occupation, and refuses nothing', async () => {
  for (const [more, paths] of stated) {
    const order = toBody.jobOrder({ onetCode: nurse, startDate: dayFromNow(3), ...more });
    const { status, body } = await client.post('/job-orders', order, strict);
    assert.is(status, 201, JSON.stringify(more));
    assert.equal(listPaths(body), paths, JSON.stringify(more));
  }
});

pay('advises of a bill rate below the pay rate beside an unusual rate', async () => {
  const order = toBody.jobOrder({ onetCode: nurse, payRateUsdHour: 65.07, billRateUsdHour: 31.74 });
  const { body } = await client.post('/job-orders', order, strict);
  assert.equal(listPaths(body), ['payRateUsdHour', 'billRateUsdHour']);
  assert.equal(listPaths(body, 'negative_margin'), ['billRateUsdHour']);
});

/** Members whose amount reads as one of the other unit, and what the advice says to send. */
const otherUnits: [kind: 'jobOrder' | 'candidate', sent: object, advice: RegExp][] = [
  ['jobOrder', { salaryUsdYear: 45 }, /^\$45 reads as an hour's pay; send payRateUsdHour$/],
  ['jobOrder', { salaryMaxUsdYear: 60 }, /^\$60 reads as an hour's pay; send payRateMaxUsdHour$/],
  ['jobOrder', { payRateUsdHour: 85_000 }, /^\$85,000 reads as a year's pay; send salaryUsdYear$/],
  ['jobOrder', { payRateMaxUsdHour: 85_000 }, /^\$85,000 reads as a year's pay; send salaryMaxUsdYear$/],
  ['jobOrder', { billRateUsdHour: 104_000 }, /^\$104,000 reads as a year's amount; .* hour, \$50 if/],
  ['candidate', { salaryUsdYear: 45 }, /^\$45 reads as an hour's pay; send payRateUsdHour$/],
  ['candidate', { payRateUsdHour: 85_000 }, /^\$85,000 reads as a year's pay; send salaryUsdYear$/],
];

pay('says which member to send instead of an amount of the other unit', async () => {
  const rows = otherUnits.flatMap((row) => [nurse, unpaid].map((onetCode) => [onetCode, row] as const));
  for (const [onetCode, [kind, sent, advice]] of rows) {
    const record = toBody[kind]({ onetCode, ...sent });
    const path = kind === 'jobOrder' ? '/job-orders' : '/candidates';
    const { status, body } = await client.post(path, record, strict);
    assert.is(status, 201);
    assert.equal(listPaths(body), Object.keys(sent));
    assert.match(body.warnings[0].message, advice);
    assert.is(body.warnings[0].advice, true);
  }
});

pay('advises of the rates of a placement, which has no salary', async () => {
  const { mine } = await makeSandbox(client, {
    candidates: [toBody.candidate({ ref: 'who', onetCode: unpaid })],
    jobOrders: [toBody.jobOrder({ ref: 'job', onetCode: unpaid })],
  });
  const placement = toBody.placement({
    ...{ candidateId: '#who', jobOrderId: '#job', onetCode: unpaid, status: 'proposed' },
    payRateUsdHour: 104_000,
  });
  const { body } = await client.post('/placements', placement, mine);
  assert.equal(listPaths(body), ['payRateUsdHour']);
  assert.match(body.warnings[0].message, /reads as a year's amount; send that of an hour, \$50 if/);
  const noted = await client.patch(body.placement.links.self, { note: 'x' }, mine);
  assert.equal(listPaths(noted.body), [], 'it is known already');
  const changed = await client.patch(body.placement.links.self, { payRateUsdHour: 50 }, mine);
  assert.equal(listPaths(changed.body), []);
});

pay.run();
