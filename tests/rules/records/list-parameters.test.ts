import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { trimText } from '../../../src/kernel/text.ts';
import { withResponses } from '../../support/contract.ts';
import type { Body } from '../../support/http.ts';
import { client } from '../../support/in-process.ts';

const parameters = suite('sort and updatedSince of a list');
const contract: Body = withResponses(structuredClone(client.contract));

/** The schema of a parameter of each list that has it, by the path of the list. */
const listSchemas = (name: string): [path: string, schema: Body][] =>
  Object.entries<Body>(contract.paths).flatMap(([path, { get }]) =>
    (get?.parameters ?? [])
      .filter((parameter: Body) => parameter.name === name)
      .map(({ schema }: Body): [string, Body] => [path, schema]),
  );

/** Sends a value as the parameter of a list. Returns the status, and the parameters that a refusal names. */
async function ask(path: string, name: string, value: string): Promise<[status: number, names: string[]]> {
  const { status, body } = await client.get(`${path}?${name}=${encodeURIComponent(value)}`);
  return [status, (body.issues ?? []).map((issue: Body) => issue.path)];
}

const runs = { numRuns: 60 };

for (const [path, schema] of listSchemas('sort')) {
  parameters(`${path} takes each sort of its schema`, async () => {
    assert.ok(schema.enum?.length > 1, JSON.stringify(schema));
    for (const value of schema.enum) assert.equal(await ask(path, 'sort', value), [200, []], value);
  });

  parameters(`${path} refuses every other sort`, async () => {
    const value = fc.constantFrom<string>(...schema.enum);
    const near = fc.tuple(fc.constantFrom('-', '+', ',', 'x'), value).map((parts) => parts.join(''));
    const other = fc.oneof(
      fc.string(),
      near,
      value.map((one) => one.toUpperCase()),
      fc.constant(''),
    );
    const isUnknown = (one: string) => !schema.enum.includes(trimText(one));
    await fc.assert(
      fc.asyncProperty(other.filter(isUnknown), async (one) => {
        assert.equal(await ask(path, 'sort', one), [400, ['sort']], one);
      }),
      runs,
    );
  });
}

const digits = (least: number, most: number, width = 2) =>
  fc.integer({ min: least, max: most }).map((number) => String(number).padStart(width, '0'));
const day = fc.tuple(digits(0, 9999, 4), digits(1, 12), digits(1, 28)).map((parts) => parts.join('-'));
const clock = fc.tuple(digits(0, 23), digits(0, 59), digits(0, 59)).map((parts) => parts.join(':'));
const fraction = fc.oneof(fc.constant(''), fc.stringMatching(/^\.\d{1,14}$/));
const offset = fc.oneof(
  fc.constantFrom('Z', 'z'),
  fc.tuple(fc.constantFrom('+', '-'), digits(0, 23), digits(0, 59)).map(([sign, h, m]) => `${sign}${h}:${m}`),
);
/** A time as RFC 3339 section 5.6 has it. */
const time = fc.tuple(day, fc.constantFrom('T', 't'), clock, fraction, offset).map((parts) => parts.join(''));

/** Leap seconds, which the grammar of RFC 3339 has as well. */
const leaps = ['2016-12-31T23:59:60Z', '2017-01-01T05:29:60.25+05:30', '1990-12-31T15:59:60-08:00'];

const noTimes = [
  ...['', '2026', '2026-11-27', '2026-11-27T09:00Z', '2026-11-27T09:00:00', '2026-11-27 09:00:00Z'],
  ...['2026-02-29T09:00:00Z', '2026-13-01T09:00:00Z', '2026-11-27T24:00:00Z', '2026-11-27T09:60:00Z'],
  ...['2026-11-27T09:00:60Z', '2026-11-27T09:00:00.Z', '2026-11-27T09:00:00+24:00'],
  ...['2026-11-27T09:00:00+02:60', '2026-11-27T09:00:00+0200', '+002026-11-27T09:00:00Z', '1764234000'],
];

for (const [path, schema] of listSchemas('updatedSince')) {
  parameters(`${path} takes every time of RFC 3339`, async () => {
    assert.is(schema.format, 'date-time');
    const short = time.filter((one) => one.length <= schema.maxLength);
    const takes = async (one: string) => assert.equal(await ask(path, 'updatedSince', one), [200, []], one);
    for (const leap of leaps) await takes(leap);
    await fc.assert(fc.asyncProperty(short, takes), runs);
  });

  parameters(`${path} refuses what is no time of RFC 3339`, async () => {
    const refuses = async (one: string) =>
      assert.equal(await ask(path, 'updatedSince', one), [400, ['updatedSince']], one);
    for (const one of noTimes) await refuses(one);
    await refuses(`2026-11-27T09:00:00.${'0'.repeat(schema.maxLength)}Z`);
    await fc.assert(fc.asyncProperty(fc.string(), refuses), runs);
  });
}

parameters('are those of every list of records', () => {
  for (const name of ['sort', 'updatedSince'])
    assert.equal(
      listSchemas(name).map(([path]) => path),
      ['/candidates', '/job-orders', '/placements'],
    );
});

parameters.run();
