/** Ids and values with white space, controls and invalid bytes in and around them, at every address of the table. */
import { validateHeaderValue } from 'node:http';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { hasId } from '../../../src/kernel/operation.ts';
import { listSuffixes } from '../../../src/kernel/router.ts';
import { operations } from '../../../src/table.ts';
import type { Reply } from '../../support/http.ts';
import { World } from '../../support/world.ts';

const spaces = suite('spaces around ids');

const world = new World();
const created = await world.post('/batch', {
  candidates: [{ name: 'Ada', onetCode: '15-1252.00', ref: 'ada' }],
  jobOrders: [{ client: 'C', title: 'T', onetCode: '15-1252.00', ref: 'order' }],
  placements: [{ candidateId: '#ada', jobOrderId: '#order', onetCode: '15-1252.00', ref: 'match' }],
});
const { workspace, candidates, jobOrders, placements } = created.body;
const owner = { 'X-Workspace': workspace };

/** Valid ids by the beginning of a path: public ones, and those of the workspace. */
const ids: Record<string, readonly string[]> = {
  '/occupations/': ['15-1252.00'],
  '/candidates/': ['cand_001', candidates[0].id, '#ada'],
  '/job-orders/': ['job_001', jobOrders[0].id, '#order'],
  '/placements/': ['plc_001', placements[0].id, '#match'],
  '/briefs/': [world.service.catalogue.briefs[0]!.id],
  '/guides/': [world.service.catalogue.guides[0]!.name],
  '/api/': ['matching'],
};
const findIds = (path: string) => Object.entries(ids).find(([start]) => path.startsWith(start))![1];

const listCharacters = (of: RegExp) =>
  Array.from({ length: 0x10000 }, (_, point) => String.fromCharCode(point)).filter((one) => of.test(one));
const white = listCharacters(/\p{White_Space}/u).map(encodeURIComponent);
const unseen = [...listCharacters(/[\p{Cc}\p{Cf}]/u), '\u{e0001}', '\u{1d173}'].map(encodeURIComponent);
const invalid = ['%FF', '%', '%zz', '%0', '%E2%80', '%0D%0AX-Evil:%201', '%2F', '%5C', '"', '<', '>', "'"];

/** Returns one of some ways, another one on each call. All are tried many times, but not each with each. */
function createTurns() {
  let calls = 0;
  return <T>(ways: readonly T[]): T => ways[calls++ % ways.length]!;
}

const rows = operations.filter((row) => hasId(row) && !row.path.startsWith('/api/'));
/** The paths of a row with this id: its own and those of its files. */
const listPaths = (row: (typeof rows)[number], id: string) =>
  ['', ...listSuffixes(row).map((suffix) => `.${suffix}`)].map(
    (end) => row.path.replace('{id}', () => id) + end,
  );

function holdToLaw(what: string, { status, headers, text }: Reply): void {
  assert.ok(status < 500, `${what} answered ${status} ${text.slice(0, 200)}`);
  for (const [name, value] of headers) {
    validateHeaderValue(name, value);
    assert.match(value, /^[\t\x20-\x7e]*$/, `${what} ${name}`);
  }
}

const pick = ({ status, headers, text }: Reply) => ({
  status,
  text,
  link: headers.get('link'),
  location: headers.get('location'),
});

spaces('white space around an id changes nothing, in every path that reads one', async () => {
  const takeTurn = createTurns();
  for (const row of rows.filter(({ method }) => method === 'GET'))
    for (const id of findIds(row.path)) {
      const encoded = encodeURIComponent(id);
      const plain = await Promise.all(listPaths(row, encoded).map((path) => world.get(path, owner)));
      for (const one of white) {
        const spaced = takeTurn([one + encoded, encoded + one, `${one}%20${encoded}${one}%0D%0A`]);
        for (const [index, path] of listPaths(row, spaced).entries()) {
          const told = await world.get(path, owner);
          holdToLaw(path, told);
          assert.equal(pick(told), pick(plain[index]!), path);
        }
      }
    }
});

spaces('white space behind a suffix changes nothing', async () => {
  for (const [path, spaced] of [
    ['/occupations/15-1252.00.md', '/occupations/15-1252.00.md%0A'],
    ['/candidates/cand_001.json', '/candidates/%20cand_001%20.json%E2%80%83'],
  ] as const)
    assert.equal(pick(await world.get(spaced)), pick(await world.get(path)), spaced);
});

spaces('white space around an id changes nothing, in every path that writes', async () => {
  for (const row of rows.filter(({ method }) => method !== 'GET'))
    for (const id of findIds(row.path).slice(0, 2)) {
      const path = row.path.replace('{id}', id);
      const plain = await world.ask(row.method, path, {});
      for (const one of white) {
        const spaced = row.path.replace('{id}', `${one}${id}${one}`);
        const told = await world.ask(row.method, spaced, {});
        holdToLaw(spaced, told);
        assert.is(told.status, plain.status, spaced);
      }
    }
  const changed = await world.patch(`/candidates/${candidates[0].id}%0A`, { note: 'n' }, owner);
  assert.is(changed.status, 200);
  assert.is(changed.body.candidate.id, candidates[0].id);
  const batch = {
    changes: [
      { id: ` ${candidates[0].id}\u0085`, note: 'm' },
      { id: '\n#order ', note: 'o' },
    ],
  };
  assert.is((await world.post('/batch', batch, owner)).status, 200);
});

spaces('an id with any invisible character or invalid bytes is never a fault', async () => {
  const takeTurn = createTurns();
  for (const row of rows) {
    const [id = ''] = findIds(row.path);
    const middle = Math.floor(id.length / 2);
    for (const one of [...unseen, ...invalid]) {
      const sent = takeTurn([one + id, id + one, id.slice(0, middle) + one + id.slice(middle), one]);
      for (const path of listPaths(row, sent)) holdToLaw(path, await world.ask(row.method, path, {}));
    }
  }
});

spaces('an id without anything in it is no id', async () => {
  for (const path of [
    '/occupations/%20',
    '/candidates/%0A',
    '/candidates/%20.json',
    '/candidates/%20/matches',
  ])
    assert.is((await world.get(path)).status, 404, path);
});

/** Valid values of parameters that are no free text. */
const { nextCursor } = (await world.get('/occupations?limit=1')).body;
const values: Record<string, string> = {
  limit: '5',
  jobZone: '3',
  majorGroup: '15',
  occupation: '15-1252.00',
  q: 'software developer',
  candidateId: candidates[0].id,
  jobOrderId: '%23order',
  record: candidates[0].id,
  ref: 'ada',
  status: 'available',
  scope: 'all',
  fields: 'ref',
  sort: '-updatedAt',
  cursor: nextCursor,
  kind: 'candidates',
  availableBy: '2030-01-01',
  startsBy: '2030-01-01',
  dueBefore: '2030-01-01',
  updatedSince: '2020-01-01T00:00:00Z',
  minScore: '10',
  meets: 'true',
  since: '1',
  spend: '1',
};
const parameters = operations
  .filter(({ method, path }) => method === 'GET' && !path.startsWith('/api/'))
  .flatMap((row) => {
    const path = hasId(row) ? row.path.replace('{id}', findIds(row.path)[0]!) : row.path;
    return Object.keys(row.input.entries).map((name) => ({ path, name, value: values[name] ?? 'abc' }));
  });

spaces('white space around a value changes nothing, in every parameter of a query', async () => {
  const takeTurn = createTurns();
  for (const { path, name, value } of parameters) {
    const plain = await world.get(`${path}?${name}=${value}`, owner);
    for (let turn = 0; turn < 8; turn += 1) {
      const one = takeTurn(white);
      const target = `${path}?${name}=${one}${value}${one}`;
      const told = await world.get(target, owner);
      holdToLaw(target, told);
      assert.equal(pick(told), pick(plain), target);
    }
  }
});

spaces('a value with any invisible character or invalid bytes is never a fault', async () => {
  const [takeOne, takeTurn] = [createTurns(), createTurns()];
  for (const { path, name, value } of parameters)
    for (let turn = 0; turn < 60; turn += 1) {
      const one = takeOne([...unseen, ...invalid]);
      const middle = `${value.slice(0, 2)}${one}${value.slice(2)}`;
      const target = `${path}?${name}=${takeTurn([one + value, value + one, middle, one])}`;
      holdToLaw(target, await world.get(target));
    }
});

spaces.run();
