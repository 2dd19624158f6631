import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Body } from '../../support/http.ts';
import { sendImport } from '../../support/imports.ts';

const documents = suite('importing résumés and postings');

async function read(format: 'resume' | 'posting', data: unknown): Promise<Body> {
  const { status, body, text } = await sendImport({ format, data });
  assert.is(status, 200, text);
  return body;
}

const resume = {
  $schema: 'https://raw.githubusercontent.com/jsonresume/resume-schema/v1.0.0/schema.json',
  basics: {
    name: 'Ann Sample',
    label: 'Registered Nurse',
    email: 'ann@example.com',
    phone: '(614) 555-0100',
    location: {
      address: '12 Main St',
      postalCode: '43215',
      city: 'Columbus',
      region: 'OH',
      countryCode: 'US',
    },
    profiles: [{ network: 'Example', username: 'ann' }],
  },
  work: [{ name: 'Example Clinic', position: 'Charge Nurse', startDate: '2020-01-01' }],
  skills: [{ name: 'Care', keywords: ['ICU', 'Triage'] }, { name: 'Epic' }],
  certificates: [{ name: 'RN license OH', date: '2021-05-01', issuer: 'Ohio' }],
};

documents('reads a JSON Resume', async () => {
  const { records } = await read('resume', resume);
  assert.equal(records.candidates, [
    {
      name: 'Ann Sample',
      title: 'Registered Nurse',
      metro: 'Columbus, OH',
      skills: ['ICU', 'Triage', 'Epic'],
      credentials: ['RN license OH'],
      onetCode: '29-1141.00',
    },
  ]);
});

for (const [at, member] of [
  ['data.basics', 'email'],
  ['data.basics', 'phone'],
  ['data.basics.location', 'address'],
  ['data.basics.location', 'postalCode'],
  ['data.certificates[0]', 'date'],
  ['data', 'work'],
])
  documents(`lists ${member} of a résumé as not taken`, async () => {
    const { notTaken } = await read('resume', resume);
    assert.ok(
      notTaken.some((one: Body) => one.at === at && one.member === member),
      JSON.stringify(notTaken),
    );
  });

documents('takes the title of the present job if a résumé has no label', async () => {
  const { records } = await read('resume', {
    basics: { name: 'Ann' },
    work: [{ position: 'Registered Nurse' }],
  });
  assert.is(records.candidates[0].title, 'Registered Nurse');
});

documents('says that a résumé has no name', async () => {
  const { problems } = await read('resume', { basics: { label: 'Registered Nurse' } });
  assert.equal(problems, [{ at: 'data', message: 'has no name; every candidate needs one' }]);
});

documents('reads several résumés', async () => {
  const { records } = await read('resume', [resume, resume]);
  assert.is(records.candidates.length, 2);
});

documents('reads a résumé as JSON text', async () => {
  const { body } = await sendImport({ format: 'resume', text: JSON.stringify(resume) });
  assert.is(body.records.candidates[0].name, 'Ann Sample');
});

for (const data of [{ basics: 7 }, { basics: [], work: 'x', skills: [[]] }, { skills: [{ name: {} }] }, {}])
  documents(`reads ${JSON.stringify(data)} without a fault`, async () => {
    assert.ok((await read('resume', data)).problems.length > 0);
  });

const posting = {
  '@context': 'https://schema.org/',
  '@type': 'JobPosting',
  title: 'Registered Nurse &amp; Educator',
  identifier: { '@type': 'PropertyValue', name: 'Example Clinic', value: 'JOB-12' },
  occupationalCategory: '29-1141.00',
  hiringOrganization: { '@type': 'Organization', name: 'Example Clinic', telephone: '614-555-0100' },
  jobLocation: {
    '@type': 'Place',
    address: {
      '@type': 'PostalAddress',
      streetAddress: '12 Main St',
      addressLocality: 'Columbus',
      addressRegion: 'OH',
    },
  },
  baseSalary: {
    '@type': 'MonetaryAmount',
    currency: 'USD',
    value: { '@type': 'QuantitativeValue', minValue: 40, maxValue: 50, unitText: 'HOUR' },
  },
  totalJobOpenings: 2,
  jobStartDate: '2026-12-01',
  skills: 'ICU, Triage',
  datePosted: '2026-11-01',
};

documents('reads a JobPosting', async () => {
  const { records } = await read('posting', posting);
  assert.equal(records.jobOrders, [
    {
      title: 'Registered Nurse & Educator',
      client: 'Example Clinic',
      metro: 'Columbus, OH',
      payRateUsdHour: 40,
      payRateMaxUsdHour: 50,
      openings: 2,
      startDate: '2026-12-01',
      skills: ['ICU', 'Triage'],
      onetCode: '29-1141.00',
      ref: 'JOB-12',
    },
  ]);
});

for (const [at, member] of [
  ['data', 'datePosted'],
  ['data.hiringOrganization', 'telephone'],
  ['data.jobLocation.address', 'streetAddress'],
])
  documents(`lists ${member} of a posting as not taken`, async () => {
    const { notTaken } = await read('posting', posting);
    assert.ok(
      notTaken.some((one: Body) => one.at === at && one.member === member),
      JSON.stringify(notTaken),
    );
  });

documents('reads the postings of a graph', async () => {
  const { records } = await read('posting', { '@graph': [{ '@type': 'WebPage' }, posting] });
  assert.is(records.jobOrders.length, 1);
});

documents('lists other nodes of a graph as not taken', async () => {
  const { notTaken } = await read('posting', { '@graph': [{ '@type': 'WebPage' }, posting] });
  assert.equal(notTaken[0], { at: 'data.@graph[0]', member: 'WebPage' });
});

documents('reads an array of postings', async () => {
  const second = { ...posting, identifier: 'JOB-13' };
  assert.is((await read('posting', [posting, second])).records.jobOrders.length, 2);
});

documents('reads arrays and nested organisations in a posting', async () => {
  const hiringOrganization = [{ name: 'Example Clinic', parentOrganization: { name: 'Example Group' } }];
  const { records } = await read('posting', { ...posting, '@type': ['JobPosting'], hiringOrganization });
  assert.is(records.jobOrders[0].client, 'Example Clinic');
});

documents('lists the places of a posting after the first as not taken', async () => {
  const jobLocation = [posting.jobLocation, { address: { addressLocality: 'Dayton', addressRegion: 'OH' } }];
  const { records, notTaken } = await read('posting', { ...posting, jobLocation });
  assert.is(records.jobOrders[0].metro, 'Columbus, OH');
  assert.ok(
    notTaken.some(({ member }: Body) => member === 'jobLocation[1]'),
    JSON.stringify(notTaken),
  );
});

documents('lists pay in other money as not taken', async () => {
  const baseSalary = { ...posting.baseSalary, currency: 'EUR' };
  const { notTaken } = await read('posting', { ...posting, baseSalary });
  assert.ok(
    notTaken.some(({ member }: Body) => member === 'baseSalary'),
    JSON.stringify(notTaken),
  );
});

documents('reads a posting of an unknown context', async () => {
  const { records } = await read('posting', { ...posting, '@context': 'https://context.invalid/x' });
  assert.is(records.jobOrders[0].client, 'Example Clinic');
});

documents('says that an object is no posting', async () => {
  const { problems } = await read('posting', { ...posting, '@type': 'Event' });
  assert.match(problems[0].message, /must be JobPosting/);
});

documents.run();
