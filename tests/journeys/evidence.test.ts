import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { cutPhrase, describeVerdict, sortEvidence } from '../../src/pages/_fit/evidence.ts';

const mustHaves = suite('the verdict of a card');
const requires = ['RN licence', 'ACLS', 'BLS'];
const met = (...phrases: string[]) => phrases.map((phrase) => ({ phrase, by: phrase }));

type Gates = Parameters<typeof sortEvidence>[0];
const sort = (gates: Partial<Gates>) => sortEvidence({ met: [], missing: [], unmet: [], ...gates });

/** Returns the words of a verdict. */
function say(gates: Partial<Gates>): string {
  const { words, phrases } = describeVerdict(sort(gates));
  return words + phrases.join(', ');
}

const missing = [{ phrase: 'RN licence' }, { phrase: 'ACLS', until: '2026-01-31' }];
const missingTexts = ['shows no "RN licence"', '"ACLS" expired 2026-01-31'];
const misfit = 'works day; the work is night';

mustHaves('says how many must-haves are met', () => {
  assert.is(say({ met: met(...requires) }), 'Meets 3 of 3 must-haves');
});

mustHaves('names the must-haves that are missing', () => {
  assert.is(say({ met: met('BLS'), missing, unmet: missingTexts }), 'Missing 2 of 3: RN licence, ACLS');
});

mustHaves('counts the missing must-haves that it does not name', () => {
  const many = ['a', 'b', 'c', 'd', 'e'].map((phrase) => ({ phrase }));
  const unmet = many.map(({ phrase }) => `shows no "${phrase}"`);
  assert.is(say({ missing: many, unmet }), 'Missing 5 of 5: a, b, c, 2 more');
});

mustHaves('says that something else does not fit', () => {
  const words = 'Meets 3 of 3, but 1 thing does not fit';
  assert.is(say({ met: met(...requires), unmet: [misfit] }), words);
});

const facts: Record<string, [Partial<Gates>, tone: string]> = {
  'nothing more': [{}, 'is-ok'],
  'something unknown': [{ unknown: ['availability not stated'] }, 'is-offer'],
  'a licence that ends during the work': [
    { endsDuring: [{ requirement: 'ACLS', until: '2027-01-03' }] },
    'is-offer',
  ],
  'something that does not fit': [{ unmet: [misfit] }, 'is-blocked'],
  'a must-have that is missing': [
    { missing: [{ phrase: 'CCRN' }], unmet: ['shows no "CCRN"'] },
    'is-blocked',
  ],
};
const severity = ['is-ok', 'is-offer', 'is-blocked'];

for (const [name, [one, oneTone]] of Object.entries(facts))
  for (const [other, [two, twoTone]] of Object.entries(facts))
    mustHaves(`is never greener than the facts: ${name}, and ${other}`, () => {
      const unmet = [...new Set([...(one.unmet ?? []), ...(two.unmet ?? [])])].toSorted((a) =>
        a.startsWith('shows') ? -1 : 1,
      );
      const { tone } = describeVerdict(sort({ met: met(...requires), ...one, ...two, unmet }));
      const worst = Math.max(severity.indexOf(oneTone), severity.indexOf(twoTone));
      assert.is(tone, severity[worst]);
    });

mustHaves('names what ends during the work, and when', () => {
  const endsDuring = [{ requirement: 'ACLS', until: '2027-01-03' }];
  const words = 'Meets 3 of 3, but ends during the work: ACLS on 2027-01-03';
  assert.is(say({ met: met(...requires), endsDuring }), words);
});

mustHaves('says that the order states no must-haves', () => {
  assert.is(say({}), 'No must-haves to check');
});

mustHaves('says of each missing must-have whether it is not shown or until when it is valid', () => {
  assert.equal(sort({ missing, unmet: missingTexts }).missing, [
    { phrase: 'RN licence', why: 'not shown' },
    { phrase: 'ACLS', why: 'valid only until 2026-01-31' },
  ]);
});

mustHaves('lists what else does not fit apart from the must-haves', () => {
  assert.equal(sort({ missing, unmet: [...missingTexts, misfit] }).others, [misfit]);
});

for (const [by, rest] of [
  ['ACLS until 2027-01-31', 'until 2027-01-31'],
  ['ACLS', ''],
  ['ACLSX until 2027-01-31', 'ACLSX until 2027-01-31'],
  ['Valid ACLS', 'Valid ACLS'],
] as const)
  mustHaves(`says of ACLS, shown by "${by}": "${rest}"`, () => {
    assert.is(cutPhrase(by, 'ACLS'), rest);
  });

mustHaves.run();
