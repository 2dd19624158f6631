import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import * as v from 'valibot';
import { candidate } from '../../../src/candidates/candidate.ts';
import { jobOrder } from '../../../src/job-orders/job-order.ts';
import type { Kind } from '../../../src/records/kind/kind.ts';
import { copyByCsv, listRecords, world } from '../../support/exports.ts';

const trips = suite('a CSV file that is exported and imported');

/** FUZZ_SEED repeats a run. */
const runs = { seed: Number(process.env.FUZZ_SEED ?? 37), numRuns: 25 };

const pieces = [
  ...['a', 'Zoë', '看護', '7', ' ', ',', ';', '"', "'", '=', '+', '-', '@', '&', '&amp;', '&#39;', '/', '|'],
  ...['http://x.example', '<b>', '\\', '＝', '12/01/2026', 'sep=;'],
];
const text = fc.array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 8 }).map((all) => all.join(''));
const lines = fc.array(text, { minLength: 1, maxLength: 3 }).map((all) => all.join('\n'));
// Repeated items of a list count once.
const list = fc.uniqueArray(text, { minLength: 1, maxLength: 4, selector: (item) => item.trim() });
const amount = fc.integer({ min: 1, max: 9_999_999 }).map((cents) => cents / 100);
const day = fc
  .integer({ min: 20_800, max: 21_500 })
  .map((days) => new Date(days * 86_400_000).toISOString().slice(0, 10));
const place = fc.constantFrom(
  ...[
    'Columbus, OH',
    'Ohio',
    'Columbus',
    'Toronto, Ontario, Canada',
    'Kansas City, MO-KS',
    'Zürich',
    'Berlin, Germany',
    'Tbilisi, Georgia',
    'Washington, DC',
    'New York, NY',
  ],
  ...['New York-Newark-Jersey City, NY-NJ-PA', 'Chattanooga, TN, GA', 'Washington, DC'],
);
/** Two amounts, the higher one last, either of which can be left out. */
const range = (low: string, high: string) =>
  fc
    .tuple(amount, amount, fc.constantFrom([true, true], [true, false], [false, true], [false, false]))
    .map(([one, other, [hasLow, hasHigh]]) => ({
      ...(hasLow && { [low]: Math.min(one, other) }),
      ...(hasHigh && { [high]: Math.max(one, other) }),
    }));
const optional = (one: fc.Arbitrary<unknown>) => fc.option(one, { nil: undefined });
const code = fc.constantFrom('29-1141.00', '15-1252.00');
const workplaces = ['onsite', 'hybrid', 'remote'];
const shifts = ['day', 'evening', 'night', 'weekend'];

const people: fc.Arbitrary<Record<string, unknown>> = fc.record({
  name: text,
  title: optional(text),
  onetCode: code,
  skills: optional(list),
  credentials: optional(list),
  metro: optional(place),
  workplaces: optional(fc.uniqueArray(fc.constantFrom(...workplaces), { minLength: 1 })),
  shifts: optional(fc.uniqueArray(fc.constantFrom(...shifts), { minLength: 1 })),
  hoursPerWeek: optional(fc.integer({ min: 1, max: 80 })),
  availableFrom: optional(day),
  payRateUsdHour: optional(amount),
  salaryUsdYear: optional(amount),
  source: optional(text),
  note: optional(lines),
  status: optional(fc.constant('withdrawn')),
});

const otherOrders = fc.record({
  client: text,
  title: text,
  onetCode: code,
  billRateUsdHour: optional(amount),
  openings: optional(fc.integer({ min: 1, max: 1000 })),
  skills: optional(list),
  requires: optional(list),
  metro: optional(place),
  workplace: optional(fc.constantFrom(...workplaces)),
  shift: optional(fc.constantFrom(...shifts)),
  hoursPerWeek: optional(fc.integer({ min: 1, max: 80 })),
  startDate: optional(day),
  endDate: optional(fc.constant('2030-01-01')),
  contact: optional(text),
  note: optional(lines),
  status: optional(fc.constant('closed')),
});
const hourly = range('payRateUsdHour', 'payRateMaxUsdHour');
const orders: fc.Arbitrary<Record<string, unknown>> = fc
  .tuple(otherOrders, hourly, range('salaryUsdYear', 'salaryMaxUsdYear'))
  .map((parts) => Object.assign({}, ...parts));

for (const [kind, records] of [
  [candidate, people],
  [jobOrder, orders],
] as const)
  trips(`has the same ${kind.plural} again`, async () => {
    const valid = fc
      .array(records, { minLength: 1, maxLength: 8 })
      .map((all) => all.filter((one) => v.is(kind.body, one)));
    const property = fc.asyncProperty(valid, async (rows) => {
      if (rows.length === 0) return;
      // A ref can begin with zeros. Some records have none.
      const sent = rows.map((row, at) => (at % 2 === 0 ? row : { ...row, ref: `00${at}` }));
      const desk = await world.open({ [kind.collection]: sent });
      const copy = await copyByCsv(desk, kind.collection);
      assert.equal(await listRecords(copy, kind.path), await listRecords(desk, kind.path));
    });
    await fc.assert(property, runs);
  });

interface DocumentKind {
  kind: Kind;
  file: string;
  format: string;
  records: fc.Arbitrary<Record<string, unknown>>;
}

/** What a posting has of an order, and a résumé of a candidate. */
const documents: readonly DocumentKind[] = [
  {
    kind: jobOrder,
    file: 'posting.jsonld',
    format: 'posting',
    records: fc
      .tuple(
        hourly,
        fc.record({
          client: text,
          title: text,
          onetCode: code,
          openings: fc.integer({ min: 1, max: 1000 }),
          skills: optional(list),
          requires: optional(list),
          metro: optional(place),
          workplace: optional(fc.constant('remote')),
          shift: optional(fc.constantFrom(...shifts)),
          startDate: optional(day),
        }),
      )
      .map((parts) => Object.assign({}, ...parts)),
  },
  {
    kind: candidate,
    file: 'resume.json',
    format: 'resume',
    records: fc.record({
      name: text,
      title: text,
      onetCode: code,
      skills: optional(list),
      credentials: optional(fc.constantFrom(['BLS'], ['RN license OH', 'BLS; ACLS, PALS'])),
      metro: optional(place),
    }),
  },
];

/**
 * Texts that documents do not keep. They are HTML for many who write them, so entities are decoded, and fillers are empty.
 */
const isLost = (record: object) => /&(?:amp|#39);|"\s*-+\s*"/.test(JSON.stringify(record));

for (const { kind, file, format, records } of documents)
  trips(`has the same ${kind.noun} again as ${file}`, async () => {
    const property = fc.asyncProperty(records, async (record) => {
      if (!v.is(kind.body, record) || isLost(record)) return;
      const desk = await world.open({ [kind.collection]: [{ ref: 'one', ...record }] });
      const { body: data } = await desk.get(`${kind.path}/%23one/${file}`);
      const codes = [{ at: 'data', onetCode: record.onetCode }];
      const { body } = await world.post('/imports', { format, data, codes });
      const stored = v.parse(kind.body, record) as Record<string, unknown>;
      const back = body.records[kind.collection][0];
      for (const [member, value] of Object.entries(stored))
        assert.equal(back[member], value, `${member} ${JSON.stringify(body.problems)}`);
    });
    await fc.assert(property, { ...runs, numRuns: 50 });
  });

trips.run();
