import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import content from '../../../content/import-columns.json' with { type: 'json' };
import { candidate } from '../../../src/candidates/candidate.ts';
import { findFileMember } from '../../../src/imports/cells.ts';
import {
  findColumnMember,
  importCollections,
  isPersonal,
  listColumnNames,
  toWords,
} from '../../../src/imports/columns.ts';
import { isExtraColumn } from '../../../src/imports/extra-columns.ts';
import { jobOrder } from '../../../src/job-orders/job-order.ts';
import { readDry } from '../../support/imports.ts';

const columns = suite('the names of columns');

const kinds = [
  ['candidates', candidate],
  ['jobOrders', jobOrder],
] as const;

for (const [collection, kind] of kinds) {
  const entries = Object.entries(content[collection].columns as Record<string, string[]>);

  columns(`name only members of ${collection}`, () => {
    const whole = Object.keys(kind.body.entries);
    const parts = whole.flatMap((member) => findFileMember(kind, member).parts ?? []);
    for (const [member] of entries)
      assert.ok([...whole, ...parts, 'status'].includes(member) || isExtraColumn(member), member);
  });

  columns(`are written as words in ${collection}`, () => {
    for (const name of entries.flatMap(([, names]) => names)) assert.is(toWords(name), name);
  });

  columns(`mean one member each in ${collection}`, () => {
    const names = entries.flatMap(([, list]) => list);
    assert.equal(
      names.filter((name, index) => names.indexOf(name) !== index),
      [],
    );
  });

  columns(`are none of personal data in ${collection}`, () => {
    assert.equal(entries.flatMap(([, names]) => names).filter(isPersonal), []);
  });

  columns(`recognise our own members in ${collection}`, () => {
    for (const member of Object.keys(kind.body.entries)) assert.is(findColumnMember(member, kind), member);
  });
}

columns('are there for every collection that can be imported', () => {
  assert.equal(
    kinds.map(([collection]) => collection),
    importCollections,
  );
  for (const [, kind] of kinds) assert.ok(listColumnNames(kind, 'title').includes('job title'), kind.name);
});

const recognised: [name: string, member: string][] = [
  ['First Name', 'firstName'],
  ['candidate_last_name', 'lastName'],
  ['Candidate Name', 'name'],
  ['Applicant First Name', 'firstName'],
  ['Job Title', 'title'],
  ['CurrentTitle', 'title'],
  ['Desired Rate ($/hr)', 'payRateUsdHour'],
  ['Licenses & Certifications', 'credentials'],
  ['State/Province', 'state'],
  ['Availability', 'availableFrom'],
  ['Candidate ID', 'ref'],
];
for (const [name, member] of recognised)
  columns(`recognise ${name} of a candidate`, () => assert.is(findColumnMember(name, candidate), member));

const unread = [
  'Mobile Phone',
  'E-mail',
  'Email Address',
  'Date of Birth',
  'Home Address',
  'SSN',
  'Zip',
  'Favourite Colour',
];
for (const name of unread)
  columns(`do not read ${name}`, () => assert.is(findColumnMember(name, candidate), undefined));

columns('a column without cells is named once', async () => {
  const { notTaken } = await readDry(['Name,Occupation code,Mystery', 'Ann Sample,29-1141.00,']);
  const named = notTaken.filter(({ member }: { member: string }) => member === 'Mystery');
  assert.is(named.length, 1);
});

columns.run();
