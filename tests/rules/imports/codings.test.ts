import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { decodeText } from '../../../src/imports/decode-text.ts';

const codings = suite('codings of files');

for (const [bytes, text] of [
  [[0xff, 0xfe, 0x41, 0x00], 'A'],
  [[0xfe, 0xff, 0x00, 0x41], 'A'],
  [[0xff, 0x41], 'ÿA'],
  [[0xfe, 0x41], 'þA'],
  [[0x41, 0xfe], 'Aþ'],
] as const)
  codings(`the bytes ${bytes.map((byte) => byte.toString(16)).join(' ')} are ${text}`, () => {
    const decoded = decodeText(Uint8Array.from(bytes));
    assert.is('text' in decoded && decoded.text.replace('\ufeff', ''), text);
  });

codings.run();
