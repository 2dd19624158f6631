import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import content from '../../../content/import-columns.json' with { type: 'json' };
import { candidate } from '../../../src/candidates/candidate.ts';
import { findFileMember } from '../../../src/imports/cells.ts';
import { findColumnMember } from '../../../src/imports/columns.ts';
import { jobOrder } from '../../../src/job-orders/job-order.ts';
import { readDry } from '../../support/imports.ts';

const headings = suite('what a heading says beside its words');

const kinds = [
  ['candidates', candidate],
  ['jobOrders', jobOrder],
] as const;

const numberForms = [
  (name: string) => `${name} #`,
  (name: string) => `${name}#`,
  (name: string) => `# ${name}`,
  (name: string) => `${name} no.`,
  (name: string) => `${name} Number`,
];

for (const [collection, kind] of kinds)
  headings(`a number of something is no text of ${collection}`, () => {
    for (const names of Object.values(content[collection].columns))
      for (const name of names)
        for (const write of numberForms) {
          const heading = write(name);
          const member = findColumnMember(heading, kind);
          const form = member && findFileMember(kind, member).form;
          const isNumber = form === undefined || member === 'ref' || form === 'whole' || form === 'pay';
          assert.ok(isNumber, `${heading}: ${member}`);
        }
  });

const refs = ['Req #', 'Job #', 'Position #', 'Job ID #', 'Order #'];
for (const name of refs)
  headings(`${name} is the ref of an order`, () => assert.is(findColumnMember(name, jobOrder), 'ref'));

headings('# of Openings is still a number of openings', () => {
  for (const name of ['# of Openings', '# Openings', 'Openings #', 'No. of Openings'])
    assert.is(findColumnMember(name, jobOrder), 'openings', name);
});

headings('a column called # numbers the rows, and is not taken', async () => {
  const { records, notTaken } = await readDry(['#,Name,Job Title', '1,Ann,Registered Nurse']);
  assert.is(records.candidates[0].ref, undefined);
  assert.is(notTaken[0].member, '#');
});

for (const name of ['License #', 'Lic #', 'Lic No.', 'Certification #'])
  headings(`the number of a license in ${name} is not stored`, async () => {
    const { records, notTaken } = await readDry([`Name,Job Title,${name}`, 'Ann,Registered Nurse,RN123456']);
    assert.is(records.candidates[0].credentials, undefined);
    assert.match(notTaken[0].why, 'license number');
  });

headings.run();
