import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { cleanText } from '../../../src/imports/cell-text.ts';
import { decodeText } from '../../../src/imports/decode-text.ts';
import type { Reply } from '../../support/http.ts';
import { world } from '../../support/imports.ts';

const codings = suite('codings of files');

const header = 'Name,Job Title';

/** Imports the bytes of a CSV file of candidates. */
const sendBytes = (bytes: Uint8Array<ArrayBuffer>, type = 'text/csv'): Promise<Reply> =>
  world.post('/imports?kind=candidates', bytes, { 'content-type': type });

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

codings('refuses a zip archive named .csv', async () => {
  const { status, body } = await sendBytes(new Uint8Array([0x50, 0x4b, 3, 4, 0, 0]));
  assert.is(status, 415);
  assert.match(body.reason, /save the sheet as CSV/);
});

const utf16 = (text: string, isLittle: boolean) => {
  const bytes = new Uint8Array(2 * text.length);
  const view = new DataView(bytes.buffer);
  for (let at = 0; at < text.length; at += 1) view.setUint16(2 * at, text.charCodeAt(at), isLittle);
  return bytes;
};
for (const isLittle of [true, false])
  codings(`reads UTF-16, ${isLittle ? 'little' : 'big'} endian`, async () => {
    const { status, body } = await sendBytes(utf16(`\uFEFF${header}\nZoë,Registered Nurse`, isLittle));
    assert.is(status, 200, JSON.stringify(body));
    assert.is(body.records.candidates[0].name, 'Zoë');
  });

codings('refuses UTF-16 without a byte order mark', async () => {
  const { status, body } = await sendBytes(utf16(`${header}\nAnn,Registered Nurse`, true));
  assert.is(status, 400);
  assert.match(body.reason, /byte order mark/);
});

const windows = Uint8Array.from(`${header}\nZo\xEB,Registered Nurse`, (character) => character.charCodeAt(0));

codings('reads Windows-1252, and says so', async () => {
  const { body } = await sendBytes(windows);
  assert.is(body.records.candidates[0].name, 'Zoë');
  assert.is(body.warnings[0].code, 'read_as');
});

codings('reads the charset that Content-Type names', async () => {
  const { body } = await sendBytes(windows, 'text/csv; charset=iso-8859-1');
  assert.is(body.records.candidates[0].name, 'Zoë');
  assert.not('warnings' in body);
});

codings('refuses a charset that it does not know', async () => {
  assert.is((await sendBytes(windows, 'text/csv; charset=klingon')).status, 415);
});

for (const [written, text] of [
  ['&amp;', '&'],
  ['&AMP;', '&AMP;'],
  ['&eacute;', '&eacute;'],
  ['&#0;', '&#0;'],
  ['&#1;', '\u0001'],
  ['&#x41;', 'A'],
  ['&#xd7ff;', '\ud7ff'],
  ['&#xd800;', '&#xd800;'],
  ['&#xdfff;', '&#xdfff;'],
  ['&#xe000;', '\ue000'],
  ['&#x10ffff;', '\u{10ffff}'],
  ['&#x110000;', '&#x110000;'],
] as const)
  codings(`the entity ${written} is ${JSON.stringify(text)}`, () => {
    assert.is(cleanText(`a${written}b`), `a${text}b`);
  });

codings.run();
