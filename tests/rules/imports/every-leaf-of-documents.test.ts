import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Body } from '../../support/http.ts';
import { sendImport } from '../../support/imports.ts';

/**
 * The law of importing, for documents: each part of each leaf reached the record, is in `notTaken` with a reason, or is a
 * problem. Only fillers are exempt. Pay and places come in the shapes that schema.org allows and that strangers send.
 */
const law = suite('each part of a document');

/** FUZZ_SEED repeats a run. */
const runs = { seed: Number(process.env.FUZZ_SEED ?? 46), numRuns: 250 };

const fillers = ['n/a', 'none', 'tbd', '-', '?', ''];
const isFiller = (leaf: unknown) => typeof leaf === 'string' && fillers.includes(leaf.trim().toLowerCase());

const wordsOf = (text: string) => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

/** What a record holds in other words. */
const otherWords: Readonly<Record<string, readonly string[]>> = {
  de: ['germany'],
  ca: ['canada'],
  telecommute: ['remote'],
  'night shift': ['night'],
  '12/01/2026': ['2026', '12', '01'],
};

/** The words of a place that are left out, by what is said of them. */
const leftOfPlaces: readonly [why: RegExp, words: readonly string[]][] = [
  [/^a street/, ['12', 'main', 'st', 'weg', '1', '01', '2026', '60']],
  [/^a ZIP code/, ['43215']],
  [/^the United States/, ['us', 'usa', 'united', 'states']],
  [/^a workplace/, ['remote']],
];

const listValues = (value: unknown): string[] =>
  typeof value === 'object' && value !== null ? Object.values(value).flatMap(listValues) : [String(value)];

interface Leaf {
  /** The names that lead to it. */
  names: string;
  leaf: unknown;
}

/** Lists the leaves of a document. Types are none, and neither is the id of a node that has more. */
function listLeaves(node: unknown, path: readonly string[] = []): Leaf[] {
  if (typeof node !== 'object' || node === null) return [{ names: path.join('.'), leaf: node }];
  return Object.entries(node).flatMap(([name, part]) => {
    if (name === '@type' || (name === '@id' && Object.keys(node).length > 1)) return [];
    return listLeaves(part, Array.isArray(node) ? path : [...path, name]);
  });
}

/** Whether the member of a note leads to a leaf. */
function leadsTo({ member }: Body, { names }: Leaf): boolean {
  const plain = member.replaceAll(/\[\d+\]/g, '');
  const isOfReference = names.endsWith('@id') && plain.startsWith(names.slice(0, -4));
  return names === plain || names.startsWith(`${plain}.`) || isOfReference;
}

/** What a note quotes of the file, if it does. */
const findQuotes = ({ why }: Body): string | undefined => /: (".*)$/s.exec(why)?.[1];

/** Whether a note is about a whole leaf: it quotes nothing, and is about no part of a place. */
const isAbout = (note: Body, leaf: Leaf): boolean =>
  leadsTo(note, leaf) &&
  findQuotes(note) === undefined &&
  !leftOfPlaces.some(([left]) => left.test(note.why));

/** Whether a record has all words of a leaf, but for those that notes quote, and those of a place that are left out. */
function holds(record: Body, one: Leaf, notes: readonly Body[]): boolean {
  const { leaf } = one;
  const quoted = notes.filter((note) => leadsTo(note, one)).flatMap((note) => findQuotes(note) ?? []);
  const known = new Set([...listValues(record), ...quoted].flatMap(wordsOf));
  for (const [left, words] of leftOfPlaces)
    if (notes.some(({ why }) => left.test(why))) for (const word of words) known.add(word);
  const isKnown = (word: string) =>
    known.has(word) || (otherWords[word] ?? []).some((other) => known.has(other));
  const text = String(leaf).toLowerCase();
  return [wordsOf(text), otherWords[text] ?? []].some((words) => words.length > 0 && words.every(isKnown));
}

const payMembers = ['payRateUsdHour', 'payRateMaxUsdHour', 'salaryUsdYear', 'salaryMaxUsdYear'];

/** Whether a record has each number of a leaf as pay. A unit or a currency is in the name of the member. */
function holdsPay(record: Body, { names, leaf }: Leaf): boolean {
  const pay = payMembers.flatMap((member) => record[member] ?? []);
  if (/unitText|[cC]urrency$/.test(names)) return pay.length > 0;
  const numbers =
    String(leaf)
      .replace(',', '.')
      .match(/\d+(?:\.\d+)?/g) ?? [];
  return (
    numbers.length > 0 && numbers.every((one) => pay.some((held) => [1, 1000].includes(held / Number(one))))
  );
}

function checkLeaves(document: object, record: Body, notes: readonly Body[]): void {
  for (const one of listLeaves(document)) {
    if (isFiller(one.leaf) || one.leaf === null) continue;
    // The nodes with these ids are leaves of the document themselves.
    if (one.names.endsWith('@id') && one.leaf !== '#nowhere') continue;
    const isPay = /^(?:baseSalary|salaryCurrency)/.test(one.names);
    const isThere =
      notes.some((note) => isAbout(note, one)) ||
      holds(isPay ? {} : record, one, notes) ||
      (isPay && holdsPay(record, one));
    assert.ok(isThere, `${one.names}: ${one.leaf} ${JSON.stringify({ document, record, notes })}`);
  }
}

const some = <T>(members: Record<string, fc.Arbitrary<T>>) => fc.record(members, { requiredKeys: [] });
const oneOf = (...values: unknown[]): fc.Arbitrary<unknown> => fc.constantFrom(...values);

const value = fc.oneof(
  oneOf('Registered Nurse', '$60', 'several', 'N/A', 'ICU', 'DE', '2026-12-01', '12/01/2026'),
  oneOf(3, 0, true, 45.5),
  oneOf(
    { name: 'Example Works', telephone: '555-0100' },
    { '@id': '#nowhere' },
    { name: { name: 'Example Press' } },
    { name: ['Example Works', 'Example Mill'] },
    [{ value: 'A1', codeValue: '29-1141.00', name: 'Nurses' }, '15-1252.00'],
    ['ICU', { name: 'Triage', url: 'x' }],
    [['Epic'], null, { name: 'BLS' }],
  ),
);

const address = fc.oneof(
  some({
    addressLocality: oneOf('USA', 'Columbus', 'Berlin', 'Dover', 'Toronto', 'N/A', { name: 'Cleveland' }, 7),
    addressRegion: oneOf('OH', 'DE', 'Ohio', 'Ontario', { '@type': 'State', name: 'NY' }),
    addressCountry: oneOf('US', 'USA', 'DE', 'Germany', 'CA', { '@type': 'Country', name: 'US' }),
    streetAddress: oneOf('12 Main St', 'Weg 1'),
    postalCode: oneOf('43215', 43215),
  }),
  oneOf('Columbus, OH', '12 Main St, Columbus, OH 43215', 'Berlin, DE', 'Remote - US', 'TBD', 'Austin'),
);
const place = fc.oneof(
  address,
  some({ '@type': oneOf('Place'), name: oneOf('North Campus'), address, geo: oneOf({ latitude: 40.1 }) }),
  fc.record({ address: fc.array(address, { maxLength: 2 }) }),
  oneOf({ '@id': '#nowhere' }, 7),
);
const places = fc.oneof(place, fc.array(place, { maxLength: 3 }));

const amount = oneOf(
  41,
  52.5,
  '$43',
  '44/hr',
  '$45-55',
  '46k',
  '47,50',
  '$48,000',
  'DOE',
  'N/A',
  'several',
  0,
  '49.000',
);
const unitText = oneOf('HOUR', 'YEAR', 'hour', 'WEEK', 'MONTH', 'TBD');
const amounts = some({ minValue: amount, maxValue: amount, value: amount, unitText });
const pay = fc.oneof(
  amount,
  some({
    '@type': oneOf('MonetaryAmount'),
    currency: oneOf('USD', 'usd', 'EUR'),
    value: fc.oneof(amounts, amount, fc.array(amounts, { maxLength: 2 })),
    unitText,
    minValue: amount,
    maxValue: amount,
  }),
);

const posting = some({
  title: oneOf('Registered Nurse', 'Carpenter & Joiner', 7),
  hiringOrganization: value,
  jobLocation: places,
  jobLocationType: oneOf('TELECOMMUTE', 'onsite'),
  baseSalary: fc.oneof(pay, fc.array(pay, { maxLength: 2 })),
  salaryCurrency: oneOf('USD', 'EUR'),
  estimatedSalary: pay,
  skills: value,
  qualifications: value,
  totalJobOpenings: value,
  jobStartDate: value,
  occupationalCategory: fc.oneof(value, oneOf('29-1141.00 Registered Nurses', ['29-1141.00', '15-1252.00'])),
  identifier: fc.oneof(value, oneOf({ value: 'JOB-12', name: 'Example Works' }, { value: 9041 }, [17, 18])),
  workHours: oneOf('night shift', '40 hours'),
  validThrough: oneOf('2027-01-01'),
});

/** Fails if a leaf is nowhere. A posting may have its node for a member elsewhere in the graph. */
async function checkPosting(
  document: Record<string, unknown>,
  byReference: readonly string[],
): Promise<void> {
  const nodes = byReference.flatMap((member) => {
    const node = document[member];
    return typeof node === 'object' && node !== null && !Array.isArray(node) && !('@id' in node)
      ? [[member, { '@id': `#${member}`, ...node }] as const]
      : [];
  });
  const references = nodes.map(([member]) => [member, { '@id': `#${member}` }]);
  const sent = { '@type': 'JobPosting', ...document, ...Object.fromEntries(references) };
  const data = { '@graph': [...nodes.map(([, node]) => node), sent] };
  const { status, body, text } = await sendImport({ format: 'posting', data });
  assert.is(status, 200, text);
  // What is left of a node is named by where the node is.
  const notes = [...body.problems, ...body.notTaken].flatMap((note: Body) => {
    const [, rest] = /^@graph(.*)$/.exec(note.member) ?? [];
    return rest === undefined ? [note] : nodes.map(([member]) => ({ ...note, member: `${member}${rest}` }));
  });
  const [order] = body.records.jobOrders;
  assert.not.match(
    order.metro ?? '',
    /\b(?:USA?|United States|\d{5})\b/,
    'neither the country nor a ZIP code',
  );
  checkLeaves(document, order, notes);
}

law('of a posting reached its record, or is listed', async () => {
  const references = fc.subarray(['hiringOrganization', 'jobLocation', 'baseSalary', 'skills']);
  await fc.assert(fc.asyncProperty(posting, references, checkPosting), runs);
});

const resume = some({
  skills: fc.oneof(value, oneOf([{ name: 'Care', keywords: ['ICU', 'N/A', 7] }], 'ICU; Epic')),
  certificates: fc.oneof(value, oneOf([{ name: 'BLS until 12/01/2026', issuer: 'Ohio' }])),
  work: fc.oneof(
    value,
    oneOf([{ position: 'Registered Nurse', name: 'Example Works', endDate: '2026-12-01' }]),
  ),
  languages: value,
  meta: value,
});
const basics = some({
  label: value,
  location: fc.oneof(
    value,
    oneOf('12 Main St, Columbus, OH 43215', 'Remote - US', ['Columbus', { city: 'Dover' }]),
    some({
      city: oneOf('Columbus', 'Berlin', 'TBD', 7),
      region: oneOf('OH', 'DE', ['OH']),
      countryCode: oneOf('US', 'DE', 'CA'),
      address: oneOf('12 Main St'),
      postalCode: oneOf('43215'),
    }),
  ),
  email: value,
  summary: value,
});

law('of a résumé reached its record, or is listed', async () => {
  const property = fc.asyncProperty(resume, basics, async (members, more) => {
    const document = { ...members, basics: { name: 'Ann Sample', ...more } };
    const { body, status, text } = await sendImport({ format: 'resume', data: document });
    assert.is(status, 200, text);
    checkLeaves(document, body.records.candidates[0], [...body.problems, ...body.notTaken]);
  });
  await fc.assert(property, runs);
});

law.run();
