import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  createEntityTag,
  createWeakTag,
  fnv1a,
  hasTag,
  isUnchangedBeforeRun,
  orNotModified,
  refuseOtherVersion,
} from '../../../src/kernel/entity-tag.ts';
import { Refusal } from '../../../src/kernel/refusal.ts';
import { toChance } from '../../support/people.ts';

const tags = suite('entity tags');

tags('the hash of a text is FNV-1a in 32 bits', () => {
  // From draft-eastlake-fnv, for texts of ASCII.
  const known = { '': 0x811c9dc5, a: 0xe40c292c, b: 0xe70c2de5, foobar: 0xbf9cf968 };
  for (const [text, hash] of Object.entries(known)) assert.is(fnv1a(text), hash, text);
});

tags('a hash goes on from the hash of what came before', () => {
  assert.is(fnv1a('bar', fnv1a('foo')), fnv1a('foobar'));
});

tags('equal texts have one tag, and different texts have different tags', () => {
  const chance = toChance(101);
  const texts = new Set<string>();
  for (let count = 0; count < 20_000; count += 1)
    texts.add(Array.from({ length: chance(12) }, () => String.fromCharCode(97 + chance(4))).join(''));
  const made = new Set([...texts].map(createEntityTag));
  assert.is(made.size, texts.size);
  for (const tag of made) assert.match(tag, /^"[0-9a-z]{8,14}"$/);
  for (const text of texts) assert.is(createWeakTag(text), `W/${createEntityTag(text)}`);
});

/** Fields that name the tag "a", or not, by a weak and by a strong comparison. */
const fields: [field: string | undefined, weak: boolean, strong: boolean][] = [
  [undefined, false, false],
  ['', false, false],
  ['"a"', true, true],
  ['a', true, true],
  ['W/"a"', true, false],
  ['W/a', true, false],
  ['"b"', false, false],
  ['"b", "a"', true, true],
  ['"b","a" ,"c"', true, true],
  ['"b", W/"a"', true, false],
  ['*', true, true],
  [' * ', true, true],
  ['"*"', false, false],
  ['"aa"', false, false],
];

tags('a field names a tag by a weak or a strong comparison (RFC 9110 section 8.8.3.2)', () => {
  for (const [field, weak, strong] of fields) {
    assert.is(hasTag(field, '"a"', 'weak'), weak, `${field}, weak`);
    assert.is(hasTag(field, '"a"', 'strong'), strong, `${field}, strong`);
    assert.is(hasTag(field, 'W/"a"', 'weak'), weak, `${field}, weak, of a weak tag`);
  }
});

tags('a 200 that the caller has becomes a 304, with its body', () => {
  for (const [ifNoneMatch, weak] of fields) {
    const outcome = { status: 200, body: { a: 1 }, headers: { ETag: '"a"' } };
    const { status, body } = orNotModified(outcome, { isStrict: false, ifNoneMatch });
    assert.is(status, weak ? 304 : 200, ifNoneMatch);
    assert.equal(body, { a: 1 });
  }
});

tags('an answer without a tag is known to a caller that has any', () => {
  const decide = (ifNoneMatch: string) =>
    orNotModified({ status: 200, body: {} }, { isStrict: false, ifNoneMatch }).status;
  assert.is(decide('*'), 304);
  assert.is(decide('"a"'), 200);
});

tags('an answer that is no 200 stays as it is', () => {
  for (const status of [201, 404, 412]) {
    const outcome = { status, body: {}, headers: { ETag: '"a"' } };
    assert.is(orNotModified(outcome, { isStrict: false, ifNoneMatch: '"a"' }).status, status);
  }
});

tags('before an operation has run, * names no tag', () => {
  for (const [ifNoneMatch, weak] of fields)
    assert.is(
      isUnchangedBeforeRun({ isStrict: false, ifNoneMatch }, '"a"'),
      weak && ifNoneMatch?.trim() !== '*',
      ifNoneMatch,
    );
});

tags('a change passes with the tag of the record or without one', () => {
  for (const [ifMatch, , strong] of fields)
    if (strong || ifMatch === undefined) refuseOtherVersion(ifMatch, '"a"');
});

tags('a change with another tag is refused, and a weak tag by a code of its own', () => {
  const refuse = (ifMatch: string, reason?: string) => {
    try {
      refuseOtherVersion(ifMatch, '"a"', reason);
    } catch (error) {
      return error instanceof Refusal ? error.envelope : undefined;
    }
    return undefined;
  };
  for (const field of ['W/"a"', 'W/a', '"b", W/"a"', '"b",W/"c"', ' W/"a"'])
    assert.is(refuse(field)?.code, 'weak_tag', field);
  for (const field of ['"b"', '', '"*"', 'bW/"a"']) assert.is(refuse(field)?.code, 'changed', field);
  assert.is(refuse('"b"', 'Read it again.')?.reason, 'Read it again.');
  assert.match(refuse('"b"')?.reason ?? '', 'The record has changed');
});

tags.run();
