import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import content from '../../../content/must-haves.json' with { type: 'json' };
import { listQualified, readHeldCredential } from '../../../src/records/kind/phrases/held-phrase.ts';
import { judgeCredential, type Verdict } from '../../support/verdicts.ts';

const ends = suite('when a credential ends');

const days = (year: number) => [
  `${year}-01-31`,
  `01/31/${year}`,
  `1/31/${year % 100}`,
  `01-31-${year}`,
  `Jan 31, ${year}`,
  `January 31 ${year}`,
  `31 Jan ${year}`,
];

const before = ['BLS', 'BLS,', 'BLS -', 'BLS:', 'BLS card OH', 'BLS (AHA),'];
const words = [...content.ends, ...content.endsBeforeDay];

ends('each word of an end before each way to write a day is read', () => {
  for (const name of before)
    for (const word of words)
      for (const [at, past] of days(2025).entries()) {
        const next = days(2028)[at]!;
        assert.is(judgeCredential('BLS', `${name} ${word} ${past}`), 'unmet', `${name} ${word} ${past}`);
        assert.is(judgeCredential('BLS', `${name} ${word} ${next}`), 'met', `${name} ${word} ${next}`);
        assert.is(judgeCredential('BLS', `${name} (${word}: ${past})`), 'unmet', `(${word}: ${past})`);
      }
});

ends('of a period the second day is the end', () => {
  for (const sign of [' to ', ' - ', ' – ', '–', '—', ' through ', ' thru ', ' until '])
    for (const [at, past] of days(2025).entries()) {
      const [first, next] = [days(2023)[at]!, days(2028)[at]!];
      for (const word of ['valid ', 'valid from ', '', '('])
        for (const [day, verdict] of [
          [past, 'unmet'],
          [next, 'met'],
        ] as const) {
          const text = `BLS ${word}${first}${sign}${day}`;
          assert.is(judgeCredential('BLS', text), verdict, text);
        }
    }
});

const nouns = ['expiration', 'expiry', 'expiration date', 'expiry date', 'exp date'];
const never = [
  ...['never', 'does not', 'do not', "doesn't", 'doesn’t', 'will not'].map((word) => `${word} expire`),
  ...['never expires', 'not expiring', 'non-expiring', 'cannot expire', 'w/o expiration'],
  'does not have an expiration date',
  ...nouns.flatMap((noun) => ['no', 'without'].map((word) => `${word} ${noun}`)),
  ...['exp', 'expires', 'expiration', 'expiration date', 'valid until', 'valid through', 'until'].flatMap(
    (word) => content.endsNever.behind.map((none) => `${word}: ${none}`),
  ),
];

ends('a credential that never expires is held', () => {
  for (const name of before)
    for (const end of never)
      for (const text of [
        `${name} ${end}`,
        `${name} (${end})`,
        `${name} ${end.toUpperCase()}`,
        `${end}; BLS`,
      ])
        assert.is(judgeCredential('BLS', text), 'met', text);
});

ends('a word of status counts beside an end that never comes', () => {
  for (const end of never)
    for (const status of ['pending', 'revoked', 'suspended', 'in progress'])
      assert.is(judgeCredential('BLS', `BLS ${status}, ${end}`), 'unmet', `BLS ${status}, ${end}`);
});

/** A credential, and what it counts as for the must-have "BLS". */
const rows: [string, Verdict][] = [
  ['BLS does not expire until 2025-01-31', 'unmet'],
  ['BLS does not expire until 2028-01-31', 'met'],
  ['BLS no expiration date on file', 'unknown'],
  ['BLS through 2025', 'unknown'],
  ['BLS through January 2025', 'unknown'],
  ['BLS thru 01/2025', 'unknown'],
  ['BLS 2023-2025', 'unknown'],
  ['BLS through the American Heart Association', 'met'],
  ['BLS, grades 6 to 12', 'met'],
  ['BLS no. 123-45-6789', 'met'],
  ['BLS, issued 2025-01-31', 'met'],
  ['BLS, not expired', 'met'],
  ['BLS, not yet expired', 'met'],
];
for (const [credential, verdict] of rows)
  ends(`"${credential}" is ${verdict}`, () => {
    assert.is(judgeCredential('BLS', credential), verdict);
  });

ends('only an end that cannot be read is marked as unread', () => {
  const countUnread = (text: string) =>
    listQualified([text], readHeldCredential).filter(({ hasUnreadDay }) => hasUnreadDay).length;
  assert.is(countUnread('BLS through January 2025'), 1);
  assert.is(countUnread('BLS through the American Heart Association'), 0);
  assert.is(countUnread('BLS never expires'), 0);
});

ends.run();
