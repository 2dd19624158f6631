import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { sendImport } from '../../support/imports.ts';

const ceilings = suite('the ceilings of a file to import');

type Send = (count: number) => ReturnType<typeof sendImport>;

const listNames = (count: number, name = 'skill') =>
  Array.from({ length: count }, (_, at) => `${name} ${at}`);
const sendTable = (...lines: string[]) =>
  sendImport({ format: 'csv', kind: 'candidates', text: lines.join('\n') });

const posting = { '@type': 'JobPosting', title: 'Registered Nurse', hiringOrganization: 'Example Clinic' };
const basics = { name: 'Ann', label: 'Registered Nurse' };
const sendPosting = (data: unknown) => sendImport({ format: 'posting', data });
const sendResume = (data: unknown) => sendImport({ format: 'resume', data });

function sendNamedColumns(count: number) {
  const names = listNames(Math.min(count, 199), 'Column');
  const columns = Object.fromEntries(listNames(count, 'Column').map((name) => [name, 'note']));
  if (count === 200) names.push('Column 199');
  return sendImport({ format: 'csv', kind: 'candidates', text: `${names.join()}\nx`, columns });
}

const sendTwoLists: Send = (count) => {
  const lists = [listNames(99, 'a'), listNames(count - 99)].map((names) => names.join(';'));
  return sendTable('Name,Skills,Key Skills', `Ann,${lists.join()}`);
};

/** The place that is named, and a file with so many of what it can have 200 of. */
const items: Record<string, [path: string, send: Send]> = {
  rows: ['text', (count) => sendTable('Name,Title', ...Array(count).fill('Ann,Registered Nurse'))],
  columns: ['text', (count) => sendTable(['Name', ...listNames(count - 1, 'c')].join(), 'Ann')],
  'named columns': ['columns', sendNamedColumns],
  'items in a cell': [
    'row 2, Skills',
    (count) => sendTable('Name,Skills', `Ann,"${listNames(count).join(', ')}"`),
  ],
  'choices in a cell': [
    'row 2, Shift',
    (count) => sendTable('Name,Shift', `Ann,${Array(count).fill('day').join('/')}`),
  ],
  'items in two cells': ['row 2, Key Skills', sendTwoLists],
  résumés: ['data', (count) => sendResume(Array(count).fill({ basics }))],
  'keywords in a résumé': [
    'data.skills[0].keywords',
    (count) => sendResume({ basics, skills: [{ keywords: listNames(count) }] }),
  ],
  postings: ['data', (count) => sendPosting(Array(count).fill(posting))],
  'postings in a graph': ['data', (count) => sendPosting({ '@graph': Array(count).fill(posting) })],
  'skills in a posting': ['data.skills', (count) => sendPosting({ ...posting, skills: listNames(count) })],
  'skills in a text': [
    'data.skills',
    (count) => sendPosting({ ...posting, skills: listNames(count).join(', ') }),
  ],
};

/** The place that is named, and a file with a text that can have 10,000 characters there. */
const texts: Record<string, [path: string, send: (text: string) => ReturnType<typeof sendImport>]> = {
  'a cell': ['row 3, Name', (text) => sendTable('Name,Title', 'Ann,Driver', `${text},Nurse`)],
  'a cell in quotes': ['row 2, Title', (text) => sendTable('Name,Title', `Ann,"${text}"`)],
  'a cell without a column': ['row 2, column 3', (text) => sendTable('Name,Title', `Ann,Nurse,${text}`)],
  'the name of a column': ['row 1, column 2', (text) => sendTable(`Name,${text}`, 'Ann,Nurse')],
  'a résumé': ['data.basics.label', (text) => sendResume({ basics: { ...basics, label: text } })],
  'one of several résumés': [
    'data[1].basics.name',
    (text) => sendResume([{ basics }, { basics: { ...basics, name: text } }]),
  ],
  'a posting': ['data.title', (text) => sendPosting({ ...posting, title: text })],
};

/** Where a posting of a graph has a text that is read. */
const ofPosting: Record<string, (text: string) => object> = {
  'hiringOrganization.name': (name) => ({ hiringOrganization: { name } }),
  'identifier.value': (value) => ({ identifier: { value } }),
  'skills[0].name': (name) => ({ skills: [{ name }] }),
  qualifications: (text) => ({ qualifications: [text] }),
  jobLocation: (jobLocation) => ({ jobLocation }),
  'jobLocation.address': (address) => ({ jobLocation: { address } }),
  'jobLocation.address.addressLocality': (addressLocality) => ({
    jobLocation: { address: { addressLocality } },
  }),
  occupationalCategory: (occupationalCategory) => ({ occupationalCategory }),
  baseSalary: (baseSalary) => ({ baseSalary }),
  jobStartDate: (jobStartDate) => ({ jobStartDate }),
};
for (const [place, toMembers] of Object.entries(ofPosting))
  texts[`${place} of a posting`] = [
    `data.@graph[0].${place}`,
    (text) => sendPosting({ '@graph': [{ ...posting, ...toMembers(text) }] }),
  ];
texts['an organization by its id'] = [
  'data.@graph[1].hiringOrganization.name',
  (name) =>
    sendPosting({
      '@graph': [
        { '@id': '#node', name },
        { ...posting, hiringOrganization: { '@id': '#node' } },
      ],
    }),
];

/** Checks that a file of the most is read, and one of more is refused at a place. */
async function check(path: string, most: number, send: Send): Promise<void> {
  const full = await send(most);
  assert.is(full.status, 200, full.text);
  const surplus = await send(most + 1);
  assert.is(surplus.status, 400, surplus.text);
  assert.is(surplus.body.issues[0].path, path);
  assert.match(surplus.body.issues[0].message, most.toLocaleString('en-US'));
}

for (const [what, [path, send]] of Object.entries(items))
  ceilings(`are 200 ${what}, and not one more`, () => check(path, 200, send));

for (const [where, [path, send]] of Object.entries(texts))
  ceilings(`are 10,000 characters of ${where}, and not one more`, () =>
    check(path, 10_000, (count) => send('😀'.repeat(count))),
  );

ceilings('count a doubled quote as one character', async () => {
  const { body } = await sendTable('Name,Title', `"${'""'.repeat(50_000)}",Nurse`);
  assert.is(body.issues[0].path, 'row 2, Name');
});

ceilings('are none of a description, which is not stored', async () => {
  const { status } = await sendPosting({ ...posting, description: 'x'.repeat(10_001) });
  assert.is(status, 200);
});

ceilings.run();
