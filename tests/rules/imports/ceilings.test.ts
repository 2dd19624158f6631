import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { sendImport } from '../../support/imports.ts';

const ceilings = suite('the ceilings of a file to import');

const listNames = (count: number, name = 'skill') =>
  Array.from({ length: count }, (_, at) => `${name} ${at}`);
const sendTable = (...lines: string[]) =>
  sendImport({ format: 'csv', kind: 'candidates', text: lines.join('\n') });

const posting = { '@type': 'JobPosting', title: 'Registered Nurse', hiringOrganization: 'Example Clinic' };
const basics = { name: 'Ann', label: 'Registered Nurse' };
const sendPosting = (data: unknown) => sendImport({ format: 'posting', data });
const sendResume = (data: unknown) => sendImport({ format: 'resume', data });

/** What a file holds at most, and a file with that many. What a record may hold is another rule. */
const rows: [what: string, most: number, send: (count: number) => ReturnType<typeof sendImport>][] = [
  ['rows', 200, (count) => sendTable('Name,Title', ...Array(count).fill('Ann,Registered Nurse'))],
  ['columns', 200, (count) => sendTable(['Name', ...listNames(count - 1, 'c')].join(), 'Ann')],
  [
    'named columns',
    200,
    (count) => {
      const names = listNames(Math.min(count, 199), 'Column');
      const columns = Object.fromEntries(listNames(count, 'Column').map((name) => [name, 'note']));
      if (count === 200) names.push('Column 199');
      return sendImport({ format: 'csv', kind: 'candidates', text: `${names.join()}\nx`, columns });
    },
  ],
  ['characters in a cell', 10_000, (count) => sendTable('Name,Title', `${'x'.repeat(count)},Nurse`)],
  ['items in a cell', 200, (count) => sendTable('Name,Skills', `Ann,"${listNames(count).join(', ')}"`)],
  ['choices in a cell', 200, (count) => sendTable('Name,Shift', `Ann,${Array(count).fill('day').join('/')}`)],
  [
    'items in two cells',
    200,
    (count) =>
      sendTable(
        'Name,Skills,Key Skills',
        `Ann,${listNames(99, 'a').join(';')},${listNames(count - 99).join(';')}`,
      ),
  ],
  ['résumés', 200, (count) => sendResume(Array(count).fill({ basics }))],
  ['keywords in a résumé', 200, (count) => sendResume({ basics, skills: [{ keywords: listNames(count) }] })],
  [
    'characters in a résumé',
    10_000,
    (count) => sendResume({ basics: { ...basics, label: 'x'.repeat(count) } }),
  ],
  ['postings', 200, (count) => sendPosting(Array(count).fill(posting))],
  ['postings in a graph', 200, (count) => sendPosting({ '@graph': Array(count).fill(posting) })],
  ['skills in a posting', 200, (count) => sendPosting({ ...posting, skills: listNames(count) })],
  ['skills in a text', 200, (count) => sendPosting({ ...posting, skills: listNames(count).join(', ') })],
  ['characters in a posting', 10_000, (count) => sendPosting({ ...posting, title: 'x'.repeat(count) })],
];

/** Where a posting has a text that is read. */
const texts: Record<string, (text: string) => object> = {
  'an organization': (name) => ({ hiringOrganization: { name } }),
  'an organization by its id': () => ({ hiringOrganization: { '@id': '#node' } }),
  'an id': (value) => ({ identifier: { value } }),
  'a skill': (name) => ({ skills: [{ name }] }),
  'a must-have': (text) => ({ qualifications: [text] }),
  'a place': (jobLocation) => ({ jobLocation }),
  'an address': (address) => ({ jobLocation: { address } }),
  'a city': (addressLocality) => ({ jobLocation: { address: { addressLocality } } }),
  'a category': (occupationalCategory) => ({ occupationalCategory }),
  pay: (baseSalary) => ({ baseSalary }),
  'a day': (jobStartDate) => ({ jobStartDate }),
};
for (const [where, toMembers] of Object.entries(texts))
  rows.push([
    `characters of ${where}`,
    10_000,
    (count) => {
      const text = 'x'.repeat(count);
      return sendPosting({
        '@graph': [
          { '@id': '#node', name: text },
          { ...posting, ...toMembers(text) },
        ],
      });
    },
  ]);

for (const [what, most, send] of rows)
  ceilings(`are ${most} ${what}, and not one more`, async () => {
    const full = await send(most);
    assert.is(full.status, 200, full.text);
    const surplus = await send(most + 1);
    assert.is(surplus.status, 400, surplus.text);
    assert.is(surplus.body.code, 'invalid_request');
    assert.match(surplus.body.issues[0].message, most.toLocaleString('en-US'));
  });

ceilings.run();
