import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Body } from '../../support/http.ts';
import { client } from '../../support/in-process.ts';

const kinds = suite('kinds of job titles over HTTP');

const code = async (title: string): Promise<Body> => {
  const { body } = await client.post('/titles', { titles: [title] });
  return body.titles[0];
};
const firstOf = async (title: string) => (await code(title)).occupations[0]?.id;

const ownParts: [string, string][] = [
  ['Veterinary Assistant', '31-9096.00'],
  ['Substitute Teacher', '25-3031.00'],
  ['Flagger', '33-9091.00'],
  ['Certified Flagger', '33-9091.00'],
  ['Inventory Clerk', '43-5071.00'],
  ['Tile Setter', '47-2044.00'],
  ['Bench Carpenter', '51-7011.00'],
  ['Tower Operator', '53-7021.00'],
  ['Safe Repairer', '49-9094.00'],
  ['Vocational Nurse', '29-2061.00'],
  ['Flight Engineer', '53-2011.00'],
  ['Brickmason Helper', '47-3011.00'],
  ['Milling Machine Operator', '51-4035.00'],
];
for (const [title, id] of ownParts)
  kinds(`"${title}", a part of an official title, has ${id} first`, async () => {
    assert.is(await firstOf(title), id);
  });

/** Titles that only look like a part, because the words before them belong to them. */
const noParts: [string, string][] = [
  ['Dispatcher', '51-8012.00'],
  ['Site Manager', '11-9199.11'],
  ['Metal Worker', '51-9071.00'],
  ['Teacher', '25-1072.00'],
  ['Security', '41-3031.00'],
];
for (const [title, id] of noParts)
  kinds(`"${title}" is not read as a part of the title of ${id}`, async () => {
    assert.is.not(await firstOf(title), id);
  });

for (const title of ['Accounts Payable Clerk', 'Iron Worker', 'Stagehand', 'Caseworker', 'Housekeeper'])
  kinds(`"${title}", an alternate title of several codes, is never sure`, async () => {
    assert.is.not((await code(title)).certainty, 'sure');
  });

kinds('"Inventory Clerk" names second the occupation that it is an alternate title of', async () => {
  assert.is((await code('Inventory Clerk')).occupations[1].id, '53-7065.00');
});

const shortForms: [string, string][] = [
  ['PT', '29-1123.00'],
  ['PT II', '29-1123.00'],
  ['RT', '29-1126.00'],
  ['RT, nights', '29-1126.00'],
  ['CNA', '31-1131.00'],
];
for (const [title, id] of shortForms) {
  kinds(`"${title}" has ${id} first`, async () => {
    assert.is(await firstOf(title), id);
  });
  kinds(`"${title}" has two meanings and is not sure`, async () => {
    assert.is((await code(title)).certainty, 'likely');
  });
}

kinds('an abbreviation with one meaning stays sure', async () => {
  assert.is((await code('RN')).certainty, 'sure');
});

kinds('"eng" is read as engineer in every phrase', async () => {
  assert.is(await firstOf('Sr. backend eng'), '15-1252.00');
});

for (const title of ['Sr. backend eng (Go)', 'Backend Engineer (Python)', 'Software Developer (C#, .NET)'])
  kinds(`the technology in "${title}" is a hint`, async () => {
    assert.is(await firstOf(title), '15-1252.00');
  });

for (const title of [
  'Mechanical Engineer (SolidWorks)',
  'Accountant (QuickBooks)',
  'Graphic Designer (Photoshop)',
])
  kinds(`"${title}" is as sure as without its technology`, async () => {
    assert.is((await code(title)).certainty, 'sure');
  });

kinds('an unknown word in brackets leaves the title as it is', async () => {
  assert.is(await firstOf('Machinist (Zorbcam)'), '51-4041.00');
});

const compounds: [string, string][] = [
  ['Ground worker', 'Groundworker'],
  ['Case worker', 'Caseworker'],
  ['Baby sitter', 'Babysitter'],
  ['Truck driver', 'Truckdriver'],
  ['Bus driver', 'Busdriver'],
  ['House keeper', 'Housekeeper'],
  ['Book keeper, nights', 'Bookkeeper, nights'],
  ['Ware house worker', 'Warehouse worker'],
  ['Accounts payable clerk', 'AP specialist II'],
];
for (const [one, other] of compounds)
  kinds(`"${one}" and "${other}" have the same code`, async () => {
    assert.is(await firstOf(one), await firstOf(other));
  });

for (const title of [
  'Falconer',
  'Master Falconer',
  'Falconer - nights',
  'plumbr',
  'Restaurant mannager zzqxv',
])
  kinds(`"${title}" is unsure: its main word is a guess`, async () => {
    assert.is((await code(title)).certainty, 'unsure');
  });

for (const title of ['acountant', 'Electrican', 'Registered nurse Zorbax'])
  kinds(`"${title}" is likely: its main word is known, or one letter off`, async () => {
    assert.is((await code(title)).certainty, 'likely');
  });

kinds('the confidence of a guess is below that of a likely title', async () => {
  assert.ok((await code('Falconer')).occupations[0].confidence < 0.45);
});

kinds.run();
