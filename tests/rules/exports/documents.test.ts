import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { hourMs } from '../../support/days.ts';
import { world } from '../../support/exports.ts';
import type { Body } from '../../support/http.ts';

const documents = suite('records in the formats of others');

const order = {
  ref: 'job',
  client: 'Example <Hospital>',
  title: 'ICU Nurse',
  onetCode: '29-1141.00',
  billRateUsdHour: 95,
  contact: 'Bo Secret',
  note: 'A secret note',
};
const person = {
  ref: 'ann',
  name: 'Ann Sample',
  onetCode: '29-1141.00',
  source: 'A secret source',
  note: 'A secret note',
};

async function readPosting(members: object): Promise<Body> {
  const desk = await world.open({ jobOrders: [{ ...order, ...members }] });
  return (await desk.get('/job-orders/%23job/posting.jsonld')).body;
}

async function readResume(members: object): Promise<Body> {
  const desk = await world.open({ candidates: [{ ...person, ...members }] });
  return (await desk.get('/candidates/%23ann/resume.json')).body;
}

documents('a posting has the media type of JSON-LD', async () => {
  const { headers } = await world.get('/job-orders/job_001/posting.jsonld');
  assert.is(headers.get('content-type'), 'application/ld+json');
});

// https://developers.google.com/search/docs/appearance/structured-data/job-posting
documents('a posting has what search engines require of one with a place', async () => {
  const posting = await readPosting({ metro: 'Columbus, OH' });
  assert.is(posting['@context'], 'https://schema.org');
  assert.is(posting['@type'], 'JobPosting');
  for (const member of ['title', 'description', 'datePosted', 'hiringOrganization', 'jobLocation'])
    assert.ok(posting[member], member);
});

documents('a posting has a place in parts', async () => {
  const { jobLocation } = await readPosting({ metro: 'Columbus, OH' });
  assert.equal(jobLocation.address, {
    '@type': 'PostalAddress',
    addressLocality: 'Columbus',
    addressRegion: 'OH',
    addressCountry: 'US',
  });
});

documents('a posting of remote work says from where it can be done', async () => {
  const posting = await readPosting({ workplace: 'remote' });
  assert.is(posting.jobLocationType, 'TELECOMMUTE');
  assert.equal(posting.applicantLocationRequirements, { '@type': 'Country', name: 'USA' });
});

documents('a posting states no place that the order does not', async () => {
  assert.is((await readPosting({})).jobLocation, undefined);
});

documents('a posting has its description as HTML', async () => {
  const { description } = await readPosting({ requires: ['RN license OH'] });
  assert.match(description, '<p>ICU Nurse for Example &lt;Hospital&gt;.');
  assert.match(description, '<p>Must have: RN license OH.</p>');
});

const pay: [what: string, members: object, value: object][] = [
  [
    'an hourly range',
    { payRateUsdHour: 45, payRateMaxUsdHour: 55 },
    { minValue: 45, maxValue: 55, unitText: 'HOUR' },
  ],
  ['one hourly rate', { payRateUsdHour: 45 }, { value: 45, unitText: 'HOUR' }],
  ['the most by the hour', { payRateMaxUsdHour: 55 }, { maxValue: 55, unitText: 'HOUR' }],
  ['a salary', { salaryUsdYear: 90_000 }, { value: 90_000, unitText: 'YEAR' }],
];

for (const [what, members, value] of pay)
  documents(`a posting has ${what} as baseSalary`, async () => {
    const { baseSalary } = await readPosting(members);
    assert.equal(baseSalary, {
      '@type': 'MonetaryAmount',
      currency: 'USD',
      value: { '@type': 'QuantitativeValue', ...value },
    });
  });

const types: [members: object, types: string[]][] = [
  [{ hoursPerWeek: 40 }, ['FULL_TIME']],
  [{ hoursPerWeek: 20 }, ['PART_TIME']],
  [{ hoursPerWeek: 36, endDate: '2027-03-01' }, ['FULL_TIME', 'TEMPORARY']],
];

for (const [members, expected] of types)
  documents(`a posting of ${JSON.stringify(members)} is ${expected.join(' and ')}`, async () => {
    assert.equal((await readPosting(members)).employmentType, expected);
  });

documents('a posting of an open order does not say until when it is valid', async () => {
  assert.not('validThrough' in (await readPosting({})));
});

documents('a posting of a closed order is no longer valid', async () => {
  assert.is((await readPosting({ status: 'closed' })).validThrough, '2026-11-27');
});

documents('a posting of an order that was closed is valid through the day it closed', async () => {
  const desk = await world.open({ jobOrders: [order] });
  await desk.patch('/job-orders/%23job', { status: 'closed' });
  world.pass(20 * hourMs);
  const { body } = await desk.get('/job-orders/%23job/posting.jsonld');
  world.pass(-20 * hourMs);
  assert.is(body.validThrough, '2026-11-27');
});

documents('a posting has no bill rate, contact or note', async () => {
  assert.not.match(JSON.stringify(await readPosting({})), /95|secret/i);
});

documents('a posting of an example says that there is no such job', async () => {
  const { body } = await world.get('/job-orders/job_001/posting.jsonld');
  assert.match(body.description, 'there is no such job');
});

documents('a résumé has the place of each member in JSON Resume', async () => {
  const resume = await readResume({
    title: 'ICU Nurse',
    skills: ['ICU'],
    credentials: ['BLS'],
    metro: 'Columbus, OH',
  });
  const location = { city: 'Columbus', region: 'OH', countryCode: 'US' };
  assert.equal(resume.basics, { name: 'Ann Sample', label: 'ICU Nurse', location });
  assert.equal(resume.skills, [{ name: 'ICU' }]);
  assert.equal(resume.certificates, [{ name: 'BLS' }]);
  assert.is(resume.meta.version, 'v1.0.0');
});

documents('a résumé has the title of the occupation if the candidate states none', async () => {
  assert.is((await readResume({})).basics.label, 'Registered Nurses');
});

documents('a résumé has no note, source or pay', async () => {
  assert.not.match(JSON.stringify(await readResume({ payRateUsdHour: 45 })), /45|secret/i);
});

for (const path of ['/job-orders/job_001/posting.jsonld', '/candidates/cand_001/resume.json'])
  documents(`${path} is there without a workspace`, async () => {
    assert.is((await world.get(path)).status, 200);
  });

for (const path of ['/job-orders/job_none/posting.jsonld', '/candidates/cand_none/resume.json'])
  documents(`${path} is EMPTY`, async () => {
    const { status, body } = await world.get(path);
    assert.is(status, 404);
    assert.is(body.type, 'EMPTY');
  });

documents('a document in a workspace has an ETag', async () => {
  const desk = await world.open({ candidates: [person] });
  const path = '/candidates/%23ann/resume.json';
  const { headers } = await desk.get(path);
  const again = await desk.get(path, { 'If-None-Match': headers.get('etag') });
  assert.is(again.status, 304);
});

documents.run();
