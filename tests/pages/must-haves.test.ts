import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { describeVerdict, sortMustHaves } from '../../src/pages/_scripts/must-haves.ts';

const mustHaves = suite('the verdict of a card');
const requires = ['RN licence', 'ACLS', 'BLS'];
const met = (...phrases: string[]) => phrases.map((phrase) => ({ phrase, by: phrase }));

/** Returns the words of a verdict. */
function say(gates: Parameters<typeof sortMustHaves>[1], required = requires): string {
  const { words, phrases } = describeVerdict(sortMustHaves(required, gates));
  return words + phrases.join(', ');
}

mustHaves('says how many must-haves are met', () => {
  assert.is(say({ met: met(...requires), unmet: [] }), 'Meets 3 of 3 must-haves');
});

mustHaves('names the must-haves that are missing', () => {
  const unmet = ['shows no "RN licence"', '"ACLS" expired 2026-01-31'];
  assert.is(say({ met: met('BLS'), unmet }), 'Missing 2 of 3: RN licence, ACLS');
});

mustHaves('counts the missing must-haves that it does not name', () => {
  const many = ['a', 'b', 'c', 'd', 'e'];
  const unmet = many.map((phrase) => `shows no "${phrase}"`);
  assert.is(say({ met: [], unmet }, many), 'Missing 5 of 5: a, b, c, 2 more');
});

mustHaves('says that something else does not fit', () => {
  const unmet = ['works day; the work is night'];
  assert.is(say({ met: met(...requires), unmet }), 'Meets 3 of 3 must-haves, but 1 thing does not fit');
});

mustHaves('is not green if something else does not fit', () => {
  const unmet = ['works day; the work is night'];
  assert.is(describeVerdict(sortMustHaves(requires, { met: met(...requires), unmet })).tone, 'is-blocked');
});

mustHaves('says that the order states no must-haves', () => {
  assert.is(say({ met: [], unmet: [] }, []), 'No must-haves to check');
});

mustHaves('says of each missing must-have whether it is not shown or has expired', () => {
  const unmet = ['shows no "RN licence"', '"ACLS" expired 2026-01-31', 'works day; the work is night'];
  const { missing, others } = sortMustHaves(requires, { met: met('BLS'), unmet });
  assert.equal(missing, [
    { phrase: 'RN licence', why: 'not shown' },
    { phrase: 'ACLS', why: 'expired 2026-01-31' },
  ]);
  assert.equal(others, ['works day; the work is night']);
});

mustHaves.run();
