import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Body } from '../../support/http.ts';
import { client } from '../../support/in-process.ts';
import { pluck } from '../../support/rows.ts';
import { makeSandbox, type Sandbox, toBody } from '../../support/sandbox.ts';
import { type Pair, phrasePairs, placePairs, pointPairs, searchRows } from '../../support/word-pairs.ts';

const words = suite('words');

/** Lists candidates of a workspace. */
const list = async (query: Record<string, string>, { mine }: Sandbox): Promise<Body> =>
  (await client.get(`/candidates?${new URLSearchParams({ ...query, scope: 'workspace' })}`, mine)).body;

/** Lists the matches of the order with a ref. */
async function match({ order, ...query }: Record<string, string>, { mine }: Sandbox): Promise<Body> {
  const search = new URLSearchParams({ ...query, scope: 'workspace' });
  return (await client.get(`/job-orders/%23${order}/matches?${search}`, mine)).body;
}

/** Lists the rows with another result than expected. */
async function findWrong<Row extends readonly unknown[]>(
  rows: readonly Row[],
  isRight: (row: Row, at: number) => Promise<boolean>,
): Promise<Row[]> {
  const wrong: Row[] = [];
  for (const [at, row] of rows.entries()) if (!(await isRight(row, at))) wrong.push(row);
  return wrong;
}

/** Creates a candidate with what the person has, and an order with what is asked for, for each pair. */
const makePairs = (pairs: readonly Pair[]) =>
  makeSandbox(client, {
    candidates: pairs.map(([, had], at) =>
      toBody.candidate({ ref: `c${at}`, credentials: [had], skills: [had] }),
    ),
    jobOrders: pairs.map(([asked], at) =>
      toBody.jobOrder({ ref: `o${at}`, requires: [asked], skills: [asked] }),
    ),
  });

words('a must-have is met by a credential of the same words', async () => {
  const sandbox = await makePairs(phrasePairs);

  const wrong = await findWrong(phrasePairs, async ([, , isMet], at) => {
    const body = await match({ order: `o${at}`, ref: `c${at}` }, sandbox);
    return body.matches[0].meets === isMet;
  });

  assert.equal(wrong, []);
});

words('a skill of the same words gives points', async () => {
  const sandbox = await makePairs(phrasePairs);

  const wrong = await findWrong(phrasePairs, async ([, , isMet], at) => {
    const body = await match({ order: `o${at}`, ref: `c${at}` }, sandbox);
    return body.matches[0].reasons.some(({ factor }: Body) => factor === 'skills') === isMet;
  });

  assert.equal(wrong, []);
});

for (const filter of ['skill', 'credential']) {
  words(`the filter ${filter} finds the same words`, async () => {
    const sandbox = await makePairs(phrasePairs);

    const wrong = await findWrong(phrasePairs, async ([asked, , isMet], at) => {
      const body = await list({ [filter]: asked, ref: `c${at}` }, sandbox);
      return (body.type === 'OK') === isMet;
    });

    assert.equal(wrong, []);
  });
}

words('q finds words, beginnings and misspelt words', async () => {
  const candidates = searchRows.map(([, record], at) =>
    toBody.candidate({ name: 'Zz', ref: `zz${at}`, ...record }),
  );
  const wrong = await findWrong(searchRows, async ([q, , isFound], at) => {
    const sandbox = await makeSandbox(client, { candidates: [candidates[at]] });
    return ((await list({ q }, sandbox)).type === 'OK') === isFound;
  });

  assert.equal(wrong, []);
});

words('the filter metro understands places', async () => {
  const candidates = placePairs.map(([, metro], at) => toBody.candidate({ ref: `c${at}`, metro }));
  const sandbox = await makeSandbox(client, { candidates });

  const wrong = await findWrong(placePairs, async ([metro, , isFound], at) => {
    const body = await list({ metro, ref: `c${at}` }, sandbox);
    return (body.type === 'OK') === isFound;
  });

  assert.equal(wrong, []);
});

words('the points for metro follow the places', async () => {
  const points = { same: 15, state: 6, none: 0 };
  const sandbox = await makeSandbox(client, {
    candidates: pointPairs.map(([, metro], at) => toBody.candidate({ ref: `c${at}`, metro })),
    jobOrders: pointPairs.map(([metro], at) => toBody.jobOrder({ ref: `o${at}`, metro })),
  });

  const wrong = await findWrong(pointPairs, async ([, , expected], at) => {
    const body = await match({ order: `o${at}`, ref: `c${at}` }, sandbox);
    const reason = body.matches[0].reasons.find(({ factor }: Body) => factor === 'metro');
    return (reason?.points ?? 0) === points[expected];
  });

  assert.equal(wrong, []);
});

words('q finds job orders by client, title and must-haves', async () => {
  const jobOrders = [
    toBody.jobOrder({ ref: 'client', client: 'Kowalski Freight' }),
    toBody.jobOrder({ ref: 'title', title: 'Kowloon guide' }),
    toBody.jobOrder({ ref: 'requires', requires: ['Kowarski method'] }),
    toBody.jobOrder({ ref: 'none', note: 'Kowalski' }),
  ];
  const { mine } = await makeSandbox(client, { jobOrders });

  const { body } = await client.get('/job-orders?q=kow&scope=workspace', mine);

  assert.equal(pluck(body.jobOrders, 'ref').sort(), ['client', 'requires', 'title']);
});

words('a name that begins with a negation does not negate', async () => {
  const body = toBody.candidate({ skills: ['Noël choir', 'No-code tools'] });

  const { warnings = [] } = (await client.post('/candidates', body)).body;

  assert.equal(warnings, []);
});

/** Credentials and skills, and the advice of a create. */
const advised: [sent: object, codes: string[]][] = [
  [{ credentials: ['CDL A expired in May'] }, ['not_held']],
  [{ credentials: ['BLS', 'RN license OH pending'] }, ['not_held']],
  [{ skills: ['no ICU'] }, ['not_held']],
  [{ credentials: ['BLS until next spring'] }, ['day_not_read']],
  [{ credentials: ['BLS until 2027-02-30'] }, ['day_not_read']],
  [{ credentials: ['CDL A permit', 'hazmat, never revoked', 'BLS exp 2027-01-31'] }, []],
];

words('advises of what is not held, and of days that cannot be read', async () => {
  for (const [sent, codes] of advised) {
    const { warnings = [] } = (await client.post('/candidates', toBody.candidate(sent))).body;
    assert.equal(pluck(warnings, 'code'), codes, JSON.stringify(sent));
  }
});

/** Filters, the credentials or skills of a candidate, and whether it is listed. */
const filtered: [query: Record<string, string>, sent: object, isListed: boolean][] = [
  [{ skill: 'Redis,Node.js' }, { skills: ['NodeJS', 'Redis'] }, true],
  [{ skill: 'Redis, Go' }, { skills: ['Redis'] }, false],
  [{ credential: 'BLS,ACLS' }, { credentials: ['ACLS', 'BLS card'] }, true],
  [{ credential: 'RN, PA' }, { credentials: ['RN OH', 'CDL PA'] }, false],
  [{ credential: 'RN' }, { credentials: ['RN pending'] }, false],
  [{ credential: 'CDL A' }, { credentials: ['CDL A permit'] }, false],
  [{ skill: 'Rust' }, { skills: ['Rust (learning)'] }, false],
];

words('filters by what is held, and by several values', async () => {
  const candidates = filtered.map(([, sent], at) => toBody.candidate({ ref: `c${at}`, ...sent }));
  const sandbox = await makeSandbox(client, { candidates });
  const wrong = await findWrong(filtered, async ([query, , isListed], at) => {
    const body = await list({ ...query, ref: `c${at}` }, sandbox);
    return (body.type === 'OK') === isListed;
  });
  assert.equal(wrong, []);
});

words.run();
