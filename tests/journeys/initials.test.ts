import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { abbreviateName } from '../../src/pages/_scripts/initials.ts';

const initials = suite('initials of names');

for (const [name, expected] of [
  ['Ann Sample', 'A\u200cS'],
  ['ann b. sample', 'A\u200cS'],
  ['Ann', 'A'],
  ['(Ann) "Sample"', 'A\u200cS'],
  ['E\u0301va Sample', 'E\u0301\u200cS'],
  ['عبد الرحمن القحطاني', 'ع\u200cا'],
  ['山田', '山'],
  ['…', ''],
] as const)
  initials(`of ${name}`, () => assert.is(abbreviateName(name), expected));

initials.run();
