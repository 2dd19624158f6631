import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { candidate } from '../../../src/candidates/candidate.ts';
import { readCsv } from '../../../src/imports/read-csv.ts';
import { readPosting } from '../../../src/imports/read-posting.ts';
import { readResume } from '../../../src/imports/read-resume.ts';
import { jobOrder } from '../../../src/job-orders/job-order.ts';
import { runAtOnce } from '../../../src/kernel/steps.ts';

const parsers = suite('the parsers of files');

const today = '2026-11-27';

parsers('give each member of a CSV row its place', () => {
  const { rows } = runAtOnce(readCsv('Name,Job Title\nAnn,Nurse', { kind: candidate, today }));
  assert.equal(rows[0]!.places, { name: 'row 2, Name', title: 'row 2, Job Title' });
});

parsers('give each member of a résumé its place', () => {
  const { rows } = runAtOnce(readResume({ basics: { name: 'Ann' } }, today));
  assert.equal(rows[0]!.places, { name: 'data.basics.name' });
});

parsers('give each member of a posting its place', () => {
  const { rows } = runAtOnce(readPosting([{ '@type': 'JobPosting', title: 'Nurse' }], jobOrder, today));
  assert.equal(rows[0]!.places, { title: 'data[0].title' });
});

parsers.run();
