import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Body } from '../../support/http.ts';
import { sendImport } from '../../support/imports.ts';

/**
 * The law of importing: each part of each leaf of a file reached a record, is in `notTaken` with a reason, or is a problem.
 * Only fillers are exempt. The names of columns and the ways to write are those of strangers.
 */
const law = suite('each part of a file');

/** FUZZ_SEED repeats a run. */
const seed = Number(process.env.FUZZ_SEED ?? 46);

const fillers = ['n/a', 'na', 'none', 'null', 'nil', 'tbd', 'unknown', 'unavailable', '-', '--', '?'];
const isFiller = (text: string) => fillers.includes(text.trim().toLowerCase());

/** First rows of files that public tools write. */
const people = [
  'Candidate Name,Email Address,Phone Number,Skills,Current Company,Job Title,Years of Experience,LinkedIn',
  'Candidate Name,Email,Phone,Experience (Years),City,State,Skills,Resume Link',
  'Name,Email,Phone,Applied Position,Experience,Skills,Source,Job Type,Location,Notice Period,Current CTC,Expected CTC,Negotiable,Relocation',
  'Participant ID,Candidate Name,Email,Program,Status,Current Stage,Enrolled Date,Completed Date',
  'CAQH Provider ID,NPI,First Name,Last Name,Suffix,Specialty,Email,Phone,License Number,License State,License Expiration,DEA Number,DEA Expiration,Malpractice Carrier,Malpractice Expiration,Profile Status,Last Attestation,Authorization Status',
  'First_Name,Last_Name,Email,Phone,Position,Custom,Department,Company,City,State,Country,Unit,Tags',
  'Full Name,Current Position,City/State,Licenses & Certs,Preferred Shift,Date Available,Desired Pay Rate,Skills',
  'Cand. First,Cand. Last,Position Desired,Certs/Lic.,City,ST,Shift Pref,Avail,Rate',
  // Several columns for one member.
  'Name,Full Name,Job Title,Position,City,Location,Market,Source,Origin,Notes,Comments',
  'Name,Title,License,License State,License Expiration,Weekly Gross,Hours per week,Work Authorization',
];
const orders = [
  'Job Title,Company,Location,Salary,Employment Type,Remote,Posted',
  'Job Title,Company,Location,Salary Range,Date Posted,Application Link,Why It Matches,Pull Date',
  'Job Title,Company,Location,Salary,Job Type,Experience,Saved Date,Priority,Application Status,Notes,Tags',
  'Req #,Client,Position,Openings,Pay,Bill,Start,End,Shift,Must have',
  'Job ID,Facility,Specialty,Start Date,Contract Weeks,Weekly Gross,Guaranteed Hours,Pay,Max Pay,City,State,Country',
];

const cells = [
  ...['$85-95k', '$85-95K', '85.000-95.000', '$80k-$90', '$45/hr - $55/hr', '45-55/hr', '$700 p/d', '52,50'],
  ...[
    'USD 52.50 per hour',
    'DOE',
    'competitive',
    '85.000',
    '$120-150k',
    '$1500/week',
    '$95000',
    '$45+',
    '40',
  ],
  ...[
    'up to $60',
    '85k-95k/yr',
    '$30/hr-$60k/yr',
    '12/01/2026',
    '13/02/2027',
    '2026-04-22T00:00:00',
    '36 hrs',
  ],
  ...['1 Dec 2026', 'Dec 1', 'immediately', 'ASAP', '2 weeks notice', 'Q1', '2026-12-01 to 2027-01-01', '13'],
  ...[
    '12 Main St, New York, NY 10001',
    'Toledo, OH 43604',
    'Cleveland OH',
    'Cleveland, Ohio',
    'Washington, DC',
  ],
  ...[
    'Berlin',
    'Berlin, DE',
    'Dover, DE',
    'UNAVAILABLE, MD',
    'Remote - US',
    'Greater Boston Area',
    'USA',
    'DE',
  ],
  ...['Tbilisi, Georgia', 'Atlanta, Georgia', 'Germany', 'San Francisco CA', '12 Main St', 'OH', 'Columbus'],
  ...[
    'RN license OH pending',
    'BLS (expires 01/31/2025)',
    'exp. 2025-01-31',
    'CDL A with Hazmat',
    'RN, N/A, BLS',
  ],
  ...[
    'RN license OH; ACLS until 12/01/2026',
    'React,JavaScript,TypeScript',
    'Python (primary)',
    'K8s',
    'R&D',
  ],
  ...[
    'Rey, Ana',
    "O'Brien",
    'Đặng Thị Mai',
    '李小龍',
    'Registered Nurse',
    '3-5 years',
    'Full Time',
    'Yes',
    'No',
  ],
  ...['any', 'flexible', 'D/N', 'Nights/Weekends', 'Active', 'withdrawn', 'closed', 'several', '2', '10'],
  ...[
    'N/A',
    'n/a',
    'TBD',
    'Unavailable',
    '--',
    '?',
    'none',
    '',
    '',
    'x'.repeat(90),
    '=cmd|calc',
    'until further',
  ],
];

const quote = (cell: string) => `"${cell.replaceAll('"', '""')}"`;
const toText = (rows: readonly (readonly string[])[]) => rows.map((row) => row.map(quote).join()).join('\n');

const wordsOf = (text: string) => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

/** Texts that a record has in other words. */
const otherWords: Readonly<Record<string, string>> = { 'Berlin, DE': 'Berlin, Germany', DE: 'Germany' };

/** Whether a record holds all words of a text. Units, signs and days are written in another way, so only names count. */
function holdsWords(record: object, text: string): boolean {
  const known = new Set(wordsOf(JSON.stringify(record)));
  return [text, otherWords[text] ?? text].some((written) => {
    const parts = written.split(/[,;]/).filter((part) => !isFiller(part));
    return wordsOf(parts.join(' ')).every((word) => known.has(word));
  });
}

/** Whether a cell is listed under its column, or quoted in what is said of its row. */
const isListed = (
  notes: readonly Body[],
  { member, row, cell }: { member: string; row: number; cell: string },
) =>
  notes.some(({ member: name, rows, why }) => rows.includes(row) && (name === member || why.includes(cell)));

/** What a column that is read as something else than text became, if it became anything. */
const typed: [RegExp, string[]][] = [
  [/salary|pay|bill|rate|ctc|gross/i, ['Rate', 'salary', 'Usd']],
  [/start|end|avail|notice|weeks/i, ['Date', 'availableFrom']],
  [/shift/i, ['shift']],
  [/^remote/i, ['workplace']],
  [/hours|openings/i, ['hoursPerWeek', 'openings']],
  [/cert|licens|must have/i, ['credentials', 'requires']],
  [/status/i, ['status']],
];

const hasTyped = (record: Body, column: string) =>
  typed.some(
    ([name, members]) =>
      name.test(column) &&
      Object.keys(record).some((member) => members.some((part) => member.includes(part))),
  );

async function readTable(kind: string, header: readonly string[], rows: readonly string[][]): Promise<Body> {
  const args = { format: 'csv', kind, text: toText([header, ...rows]) };
  const { status, body, text } = await sendImport(args);
  assert.is(status, 200, text);
  return body;
}

for (const [kind, headers] of [
  ['candidates', people],
  ['jobOrders', orders],
] as const)
  law(`of a table of ${kind} reached a record, or is listed`, async () => {
    const table = fc.constantFrom(...headers).chain((line) => {
      const header = line.split(',');
      const row = fc.tuple(...header.map(() => fc.constantFrom(...cells)));
      return fc.tuple(fc.constant(header), fc.array(row, { minLength: 1, maxLength: 6 }));
    });
    const property = fc.asyncProperty(table, async ([header, rows]) => {
      const sent = rows.filter((row) => row.some((cell) => cell !== ''));
      if (sent.length === 0) return;
      const { records, problems, notTaken } = await readTable(kind, header, sent);
      const said = [...problems, ...notTaken];
      for (const [index, row] of sent.entries())
        for (const [at, cell] of row.entries()) {
          if (cell === '' || isFiller(cell) || isListed(said, { member: header[at]!, row: index + 2, cell }))
            continue;
          const record = records[kind][index];
          const isThere = holdsWords(record, cell) || hasTyped(record, header[at]!);
          assert.ok(isThere, `${header[at]}: ${cell} ${JSON.stringify({ record, said })}`);
        }
    });
    await fc.assert(property, { seed, numRuns: 100 });
  });

const texts = [
  'Registered Nurse',
  'Columbus, OH',
  '$60',
  'several',
  'N/A',
  'ICU',
  '12 Main St',
  'DE',
  '2026-12-01',
];
const value = fc.oneof(
  fc.constantFrom(...texts),
  fc.constantFrom(3, 0, true, 45.5),
  fc.constant({ name: 'Example Works', telephone: '555-0100' }),
  fc.constant({ '@id': '#org' }),
  fc.constant({ '@id': '#nowhere' }),
  fc.constant({ name: { '@id': '#org' } }),
  fc.constant({ address: { addressLocality: 'Berlin', addressCountry: 'DE', streetAddress: 'Weg 1' } }),
  fc.constant({ address: 'Columbus, OH' }),
  fc.constant({ currency: 'USD', value: { minValue: 40, maxValue: '$60', unitText: 'HOUR' } }),
  fc.constant(['ICU', { name: 'Triage', url: 'x' }]),
);

/** Lists the leaves of a document, each with the names that lead to it. Types and ids are no leaves. */
function listLeaves(node: unknown, path: string[] = []): { path: string[]; leaf: unknown }[] {
  if (typeof node !== 'object' || node === null) return [{ path, leaf: node }];
  return Object.entries(node).flatMap(([name, part]) => {
    if (name === '@type' || name === '@context' || (name === '@id' && Object.keys(node).length > 1))
      return [];
    return listLeaves(part, Array.isArray(node) ? path : [...path, name]);
  });
}

/** Fails if a leaf of a document is neither in its record nor listed under a path that leads to it. */
function checkLeaves(document: object, record: Body, said: readonly Body[]): void {
  for (const { path, leaf } of listLeaves(document)) {
    if (leaf === '' || (typeof leaf === 'string' && isFiller(leaf))) continue;
    const names = path.join('.');
    const covers = ({ member }: Body) => {
      const plain = member.replaceAll(/\[\d+\]/g, '');
      return names === plain || names.startsWith(`${plain}.`) || plain.startsWith(names.replace('.@id', ''));
    };
    const isPlaceOrPay =
      /jobLocation|location|baseSalary/.test(names) && (record.metro ?? record.payRateUsdHour);
    const isThere =
      said.some(covers) || holdsWords(record, String(leaf)) || isPlaceOrPay || path.at(-1) === '@id';
    assert.ok(isThere, `${names}: ${leaf} ${JSON.stringify({ document, record, said })}`);
  }
}

const memberNames = [
  ...['hiringOrganization', 'jobLocation', 'baseSalary', 'skills', 'totalJobOpenings', 'jobStartDate'],
  ...['occupationalCategory', 'identifier', 'qualifications', 'employmentType', 'workHours', 'validThrough'],
];

law('of a posting reached its record, or is listed', async () => {
  const posting = fc.record(Object.fromEntries(memberNames.map((name) => [name, value])), {
    requiredKeys: [],
  });
  const property = fc.asyncProperty(posting, async (members) => {
    const document = { '@type': 'JobPosting', title: 'Registered Nurse', ...members };
    const org = { '@id': '#org', '@type': 'Organization', name: 'Example Clinic' };
    const { body, status, text } = await sendImport({
      format: 'posting',
      data: { '@graph': [org, document] },
    });
    assert.is(status, 200, text);
    checkLeaves(document, body.records.jobOrders[0], [...body.problems, ...body.notTaken]);
  });
  await fc.assert(property, { seed, numRuns: 100 });
});

law('of a résumé reached its record, or is listed', async () => {
  const basics = fc.record(
    { label: value, location: value, email: value, summary: value },
    { requiredKeys: [] },
  );
  const resume = fc.record(
    { basics, skills: value, certificates: value, work: value, languages: value, meta: value },
    { requiredKeys: [] },
  );
  const property = fc.asyncProperty(resume, async (members) => {
    const document = { ...members, basics: { name: 'Ann Sample', ...members.basics } };
    const { body, status, text } = await sendImport({ format: 'resume', data: document });
    assert.is(status, 200, text);
    checkLeaves(document, body.records.candidates[0], [...body.problems, ...body.notTaken]);
  });
  await fc.assert(property, { seed, numRuns: 100 });
});

law.run();
