import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import * as v from 'valibot';
import { Json } from '../../../src/kernel/json.ts';
import {
  addDays,
  CalendarDate,
  countDays,
  formatDuration,
  Href,
  listSchema,
  parseTime,
  textSchema,
  toIsoDate,
  toIsoTime,
  trimIfText,
  trimText,
  wholeSchema,
} from '../../../src/kernel/text.ts';
import { readMonth, readYear, writeDay } from '../../../src/kernel/written-day.ts';
import { toChance } from '../../support/people.ts';

const texts = suite('texts and times');

const day = 86_400_000;
/** Every 13th hour, in steps that meet each hour and each day of a month, around 1970 and 2000. */
const instants = [-400, -1, 0, 1, 10_957, 11_016, 20_000]
  .flatMap((first) => Array.from({ length: 40 }, (_, at) => first * day + at * 13 * 3_600_000))
  .concat([-1, 1, day - 1]);

texts('a time is written as ISO 8601 writes it, and a day is the UTC day of the time', () => {
  for (const at of instants) {
    assert.is(toIsoTime(at), new Date(at).toISOString());
    assert.is(toIsoDate(at), new Date(at).toISOString().slice(0, 10));
  }
});

texts('days that are added to a day can be counted again', () => {
  const chance = toChance(81);
  for (let round = 0; round < 300; round += 1) {
    const from = toIsoDate((chance(40_000) - 10_000) * day);
    const days = chance(2000) - 1000;
    const to = addDays(from, days)!;
    assert.is(countDays(from, to), days, `${from} and ${to}`);
  }
  assert.is(addDays('2028-02-28', 1), '2028-02-29');
});

texts('a day after the year 9999 is none', () => {
  assert.is(addDays('9999-12-30', 1), '9999-12-31');
  assert.is(addDays('9999-12-31', 1), null);
});

texts('a day in a text is one of the calendar', () => {
  for (let year = 1999; year <= 2004; year += 1)
    for (let month = 0; month <= 13; month += 1)
      for (const date of [0, 1, 28, 29, 30, 31, 32]) {
        const made = new Date(Date.UTC(year, month - 1, date));
        const exists = month >= 1 && made.getUTCMonth() === month - 1 && made.getUTCDate() === date;
        const text = [year, month, date].map((part) => String(part).padStart(2, '0')).join('-');
        assert.is(v.is(CalendarDate, text), exists, text);
        assert.is(writeDay(String(year), String(month), String(date)), exists ? text : undefined, text);
      }
});

texts('a month is read by its English name or a short form of it', () => {
  for (let month = 1; month <= 12; month += 1) {
    const name = new Date(Date.UTC(2026, month - 1, 1)).toLocaleString('en-US', {
      month: 'long',
      timeZone: 'UTC',
    });
    for (const form of [name, name.slice(0, 3), name.toUpperCase()])
      assert.is(readMonth(form), String(month), form);
  }
  assert.is(readMonth('Foo'), '');
});

texts('a year of two digits is of this century', () => {
  assert.equal(['07', '99', '1999', '199'].map(readYear), ['2007', '2099', '1999', '199']);
});

texts('a time of a query is read as RFC 3339 has it', () => {
  for (const at of instants) {
    const text = new Date(at).toISOString();
    for (const form of [text, text.toLowerCase(), text.replace('Z', '+00:00'), text.replace('Z', ' 00:00')])
      assert.is(parseTime(form), at, form);
    const eastern = new Date(at - 5 * 3_600_000).toISOString().replace('Z', '-05:00');
    assert.is(parseTime(eastern), at, eastern);
  }
});

texts('a leap second is the last second of its UTC day, and there is none at another time', () => {
  assert.is(parseTime('2016-12-31T23:59:60Z'), Date.parse('2016-12-31T23:59:59Z'));
  assert.is(parseTime('2016-12-31T18:59:60-05:00'), Date.parse('2016-12-31T23:59:59Z'));
  assert.is(parseTime('2016-12-31T23:59:60.5Z'), Date.parse('2016-12-31T23:59:59.5Z'));
  for (const text of ['2016-12-31T22:59:60Z', '2016-12-31T23:58:60Z', '2016-12-31T23:59:60-05:00'])
    assert.ok(Number.isNaN(parseTime(text)), text);
});

texts('a duration is in the largest unit that is exact, and in days from three on', () => {
  const durations: Record<string, number> = {
    '45 s': 45,
    '61 s': 61,
    '1 min': 60,
    '90 min': 5400,
    '1 h': 3600,
    '24 h': 86_400,
    '48 h': 2 * 86_400,
    '3 days': 3 * 86_400,
    '120 days': 120 * 86_400,
    '73 h': 73 * 3600,
    '0 h': 0,
  };
  for (const [text, seconds] of Object.entries(durations)) assert.is(formatDuration(seconds), text);
});

const spaces = [' ', '\t', '\n', '\u0085', '\ufeff', '\u2003', '\u3000', '\u00a0'];

texts('white space of every script is trimmed on both sides, and stays inside', () => {
  const chance = toChance(82);
  const pad = () => Array.from({ length: chance(4) }, () => spaces[chance(spaces.length)]!).join('');
  for (let round = 0; round < 500; round += 1) {
    const inner = chance(4) === 0 ? '' : `a${pad()}b`;
    const text = pad() + inner + pad();
    assert.is(trimText(text), inner, JSON.stringify(text));
    assert.is(trimIfText(text), inner);
  }
  for (const value of [7, null, undefined, true]) assert.is(trimIfText(value), value);
});

/** Returns the messages of a schema for a value, in their order. */
const check = (schema: v.GenericSchema, value: unknown) =>
  (v.safeParse(schema, value).issues ?? []).map(({ message }) => message);

texts('a text has as many characters as it has code points', () => {
  const schema = textSchema(5, 'Name', 'A name.');
  for (const character of ['a', 'é', '😀'])
    for (let length = 1; length <= 12; length += 1)
      assert.is(v.is(schema, character.repeat(length)), length <= 5, `${length} of ${character}`);
});

texts('a text that is too long gets no other message', () => {
  const schema = textSchema(5, 'Name', 'A name.');
  for (const text of ['\u200b'.repeat(11), '\ud800'.repeat(11), '\u202e'.repeat(11)])
    assert.equal(check(schema, text), ['must be at most 5 characters'], JSON.stringify(text));
});

texts('a text at its longest is looked at', () => {
  const schema = textSchema(5, 'Name', 'A name.');
  assert.equal(check(schema, '\u200b'.repeat(5)), ['must hold a visible character']);
  assert.equal(check(schema, '😀😀😀😀\ud800'), ['must be well-formed Unicode']);
  assert.match(check(schema, `😀😀😀😀\u202e`).join(), /changes the direction/);
});

texts('a whole number has a least and a most', () => {
  const schema = wholeSchema(1, 3, 'Count', 'A count.');
  const good = [0, 1, 2, 3, 4, 1.5, '2', Number.NaN].filter((value) => v.is(schema, value));
  assert.equal(good, [1, 2, 3]);
});

texts('a list that is too long is refused for its length alone', () => {
  const schema = listSchema(v.string('must be a string'), 3, 'skills');
  for (let length = 0; length <= 5; length += 1) {
    assert.is(v.is(schema, Array(length).fill('a')), length <= 3, `${length} items`);
    const issues = check(schema, Array(length).fill(7));
    assert.equal(
      issues,
      length > 3 ? ['must hold at most 3 skills'] : Array(length).fill('must be a string'),
    );
  }
  assert.equal(check(schema, 'a'), ['must be an array of strings']);
});

texts('an address of this origin begins with one slash', () => {
  assert.equal(
    ['/', '/api.md', '//other.example', 'api.md', 'https://a.example'].filter((href) => v.is(Href, href)),
    ['/', '/api.md'],
  );
});

texts('a text takes as many bytes as its UTF-8', () => {
  const chance = toChance(83);
  const characters = [
    'a',
    '\u007f',
    '\u0080',
    'é',
    '\u07ff',
    '\u0800',
    '✓',
    '\ud7ff',
    '\ue000',
    '\uffff',
    '😀',
  ];
  for (let round = 0; round < 500; round += 1) {
    const text = Array.from({ length: chance(12) }, () => characters[chance(characters.length)]).join('');
    assert.is(Json.of(text).bytes, Buffer.byteLength(JSON.stringify(text)), JSON.stringify(text));
  }
});

texts('JSON and its value are each made once, and only if they are read', () => {
  const made: string[] = [];
  const json = new Json({
    value: () => {
      made.push('value');
      return { a: 1 };
    },
    text: () => {
      made.push('text');
      return '{"a":1}';
    },
  });
  assert.equal(made, []);
  assert.is(json.bytes, 7);
  assert.equal(made, ['text']);
  for (let count = 0; count < 2; count += 1) assert.equal(json.value, { a: 1 });
  assert.is(json.text, '{"a":1}');
  assert.equal(made, ['text', 'value']);
});

texts.run();
