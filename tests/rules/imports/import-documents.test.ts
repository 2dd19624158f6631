import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Body } from '../../support/http.ts';
import { sendImport } from '../../support/imports.ts';
import { pluck } from '../../support/rows.ts';

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

documents('lists of a résumé exactly what is not stored', async () => {
  const { notTaken } = await read('resume', resume);
  assert.equal(pluck(notTaken, 'member'), [
    // The country, which is in no place of the United States.
    'basics.location',
    '$schema',
    'basics.email',
    'basics.phone',
    'basics.location.address',
    'basics.location.postalCode',
    'basics.profiles',
    'work',
    'skills.name',
    'certificates.date',
    'certificates.issuer',
  ]);
});

documents('says that a résumé has no name', async () => {
  const { problems } = await read('resume', { basics: { label: 'Registered Nurse' } });
  assert.equal(problems, [{ member: 'name', why: 'has no name; every candidate needs one', rows: [1] }]);
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

/** What a salary says of its currency, beside an amount by the hour, and whether it is in US dollars. */
const currencies: [salary: object, amount: unknown, isDollars: boolean][] = [
  [{ currency: 'USD' }, 43, true],
  [{ currency: 'usd' }, '43', true],
  [{ currency: 'EUR' }, 43, false],
  [{ currency: 'EUR' }, '$43', false],
  [{}, '$43', true],
  [{}, 'USD 43', true],
  [{}, '43', false],
  [{}, 43, false],
];
for (const [salary, value, isDollars] of currencies)
  documents(`takes pay of ${JSON.stringify({ ...salary, value })} only in US dollars`, async () => {
    for (const baseSalary of [
      { ...salary, value: { value, unitText: 'HOUR' } },
      { ...salary, value, unitText: 'HOUR' },
    ]) {
      const data = { '@type': 'JobPosting', title: 'Registered Nurse', hiringOrganization: 'X', baseSalary };
      const { records } = await read('posting', data);
      assert.is(records.jobOrders[0].payRateUsdHour, isDollars ? 43 : undefined);
    }
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

for (const [value, hasProblem] of [
  [-1, true],
  [0, true],
  [0.5, false],
] as const)
  documents(`${value} as an amount of pay is ${hasProblem ? 'a' : 'no'} problem`, async () => {
    const baseSalary = { currency: 'USD', value: { value, unitText: 'HOUR' } };
    const { problems } = await read('posting', { ...posting, baseSalary });
    assert.is(problems.length, hasProblem ? 1 : 0, JSON.stringify(problems));
  });

documents('lists of a posting exactly what is not stored', async () => {
  const { notTaken } = await read('posting', posting);
  assert.equal(pluck(notTaken, 'member'), [
    'identifier.name',
    'hiringOrganization.telephone',
    'jobLocation.address.streetAddress',
    'datePosted',
  ]);
});

for (const [count, last] of [
  [20, 'member19'],
  [21, 'and 1 more'],
] as const)
  documents(`names the first 20 of ${count} members that are not stored`, async () => {
    const others = Object.fromEntries(Array.from({ length: count }, (_, at) => [`member${at}`, 1]));
    const { notTaken } = await read('posting', { '@type': 'JobPosting', ...others });
    assert.is(notTaken.length, Math.min(count, 21));
    assert.is(notTaken.at(-1).member, last);
  });

documents('reads the postings of a graph', async () => {
  const { records } = await read('posting', { '@graph': [{ '@type': 'WebPage' }, posting] });
  assert.is(records.jobOrders.length, 1);
});

documents('lists other nodes of a graph as not taken', async () => {
  const { notTaken } = await read('posting', { '@graph': [{ '@type': 'WebPage', name: 'Jobs' }, posting] });
  assert.equal(notTaken.at(-1), { member: '@graph', why: 'belongs to no posting', rows: [] });
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

documents('reads a posting of an unknown context', async () => {
  const { records } = await read('posting', { ...posting, '@context': 'https://context.invalid/x' });
  assert.is(records.jobOrders[0].client, 'Example Clinic');
});

documents('says that an object is no posting', async () => {
  const { problems } = await read('posting', { ...posting, '@type': 'Event' });
  assert.match(problems[0].why, /must be JobPosting/);
});

const clinic = { '@id': '#org', '@type': 'Organization', name: 'Example Clinic' };
const site = {
  '@id': '#place',
  '@type': 'Place',
  address: { addressLocality: 'Dayton', addressRegion: 'OH' },
};

documents('reads nodes that a posting names by @id', async () => {
  const linked = { ...posting, hiringOrganization: { '@id': '#org' }, jobLocation: { '@id': '#place' } };
  const { records } = await read('posting', { '@graph': [clinic, linked, site] });
  assert.is(records.jobOrders[0].client, 'Example Clinic');
  assert.is(records.jobOrders[0].metro, 'Dayton, OH');
});

for (const [what, nodes] of [
  ['leads nowhere', []],
  ['leads to itself', [{ '@id': '#org', name: { '@id': '#org' } }]],
] as const)
  documents(`lists an @id that ${what}`, async () => {
    const linked = { ...posting, hiringOrganization: { '@id': '#org' } };
    const { problems, notTaken } = await read('posting', { '@graph': [...nodes, linked] });
    assert.match(problems[0].why, 'has no client');
    assert.ok(notTaken.some(({ member }: Body) => member === 'hiringOrganization'));
  });

/** Members of another shape than schema.org and JSON Resume have, and what they become. */
const otherShapes: [format: 'posting' | 'resume', sent: object, members: object][] = [
  ['posting', { jobLocation: '12 Main St, Dayton, OH 45402' }, { metro: 'Dayton, OH' }],
  ['posting', { jobLocation: { address: 'Dayton, OH' } }, { metro: 'Dayton, OH' }],
  [
    'posting',
    { jobLocation: { address: { addressLocality: 'Berlin', addressRegion: 'DE', addressCountry: 'DE' } } },
    { metro: 'Berlin, Germany' },
  ],
  ['posting', { identifier: { '@type': 'PropertyValue', value: 9041 } }, { ref: '9041' }],
  ['posting', { identifier: [17, 18] }, { ref: '17' }],
  ['posting', { baseSalary: '$85-95k' }, { salaryUsdYear: 85_000, salaryMaxUsdYear: 95_000 }],
  [
    'posting',
    { baseSalary: { currency: 'USD', value: { minValue: 40, maxValue: '$60', unitText: 'HOUR' } } },
    { payRateUsdHour: 40, payRateMaxUsdHour: 60 },
  ],
  ['resume', { skills: ['ICU', 'N/A', { name: 'Triage' }] }, { skills: ['ICU', 'Triage'] }],
  ['resume', { certificates: ['ACLS until 12/01/2026'] }, { credentials: ['ACLS until 2026-12-01'] }],
  ['resume', { basics: { ...resume.basics, location: 'Dayton, OH 45402' } }, { metro: 'Dayton, OH' }],
];
for (const [format, sent, members] of otherShapes)
  documents(`reads ${JSON.stringify(sent)}`, async () => {
    const base = format === 'posting' ? posting : resume;
    const { records } = await read(format, { ...base, ...sent });
    const [record] = records.jobOrders ?? records.candidates;
    for (const [member, value] of Object.entries(members)) assert.equal(record[member], value);
  });

documents('names a number of openings that is a word as a problem', async () => {
  const { problems } = await read('posting', { ...posting, totalJobOpenings: 'several' });
  assert.equal(problems, [{ member: 'totalJobOpenings', why: 'is no whole number: "several"', rows: [1] }]);
});

documents.run();
