import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import content from '../../../content/must-haves.json' with { type: 'json' };
import { holds, readShownPhrases } from '../../../src/records/kind/phrases/shown-phrases.ts';
import { readStatement } from '../../../src/records/kind/phrases/statement.ts';
import { toChance } from '../../support/people.ts';
import { judge, judgeCredential, type Verdict } from '../../support/verdicts.ts';

const held = suite('what a phrase counts as');

/** A must-have, a credential, and what it counts as. */
const rows: [string, string, Verdict][] = [
  ['RN license OH', 'RN license OH pending', 'unmet'],
  ['RN', 'RN - pending', 'unmet'],
  ['RN', 'RN—pending board vote', 'unmet'],
  ['RN', 'RN: awaiting results', 'unmet'],
  ['CPA', 'CPA eligible', 'unmet'],
  ['CPA', 'Studying for CPA', 'unmet'],
  ['CPA', 'CPA, studying', 'unmet'],
  ['Background check', 'Background check failed', 'unmet'],
  ['BLS', 'BLS (in progress)', 'unmet'],
  ['BLS', 'BLS [In-Progress]', 'unmet'],
  ['BLS', 'BLS（申請）', 'met'],
  ['BLS', 'BLS (PENDING)', 'unmet'],
  ['RN', 'RN license inactive', 'unmet'],
  ['RN', 'inactive', 'unmet'],
  ['RN', 'pending', 'unmet'],
  ['RN', 'RN not active', 'unmet'],
  ['RN', 'No RN license', 'unmet'],
  ['RN', 'RN: none', 'unmet'],
  ['RN', 'RN license no. 12345', 'met'],
  ['RN', 'RN pending OH', 'unmet'],
  ['RN', 'ICU pending weld RN', 'met'],
  ['CDL A', 'CDL A expired in May', 'unmet'],
  ['CDL A', 'CDL A, not expired', 'met'],
  ['hazmat', 'hazmat never revoked', 'met'],
  ['PE', 'PE exam not passed', 'unmet'],
  ['suspended ceilings', 'suspended ceilings', 'met'],
  ['suspended ceilings', 'Suspended Ceilings certificate', 'met'],
  ['student affairs', 'student affairs', 'met'],
  ['candidate screening', 'candidate screening', 'met'],
  ['pending litigation', 'pending litigation', 'met'],
  ['non-destructive testing', 'non-destructive testing', 'met'],
  ['destructive testing', 'non-destructive testing', 'unmet'],
  ['CDL A', 'CDL A permit', 'unknown'],
  ['CDL', 'CDL learner permit', 'unknown'],
  ['RN', 'RN student', 'unknown'],
  ['RN', 'RN license (temporary)', 'unknown'],
  ['learner permit', 'learner permit', 'met'],
  ['BLS', 'BLS permit pending', 'unmet'],
  ['RN', 'RN-BSN', 'met'],
  ['BSN', 'RN-BSN', 'met'],
  ['BLS', 'BLS-certified', 'met'],
  ['CDL A', 'CDL-A', 'met'],
  ['Go', 'go-to-market strategy', 'unmet'],
  ['market', 'go-to-market strategy', 'unmet'],
  ['go-to-market', 'go-to-market strategy', 'met'],
  ['Java', 'non-Java stack', 'unmet'],
  ['Java', 'Java-free', 'unmet'],
  ['sales', 'pre-sales', 'unmet'],
  ['military', 'ex-military', 'unmet'],
  ['wire', 'wire-less', 'unmet'],
  ['Python', 'Python (primary)', 'met'],
  ['CDL A', 'CDL Class A', 'met'],
  ['CDL Class A', 'CDL A with Hazmat', 'met'],
  ['CDL A with Hazmat', 'CDL Class A, hazardous materials endorsement', 'met'],
  ['CDL A', 'Commercial Driver License Class A', 'met'],
  ["Commercial Driver's License Class A", 'CDL-A', 'met'],
  ['CDL A', 'CDL B', 'unmet'],
  ['BLS', 'BLS card', 'met'],
  ['BLS card', 'BLS', 'met'],
  ['Hazmat endorsement', 'Hazmat', 'met'],
  ['registered nurse', 'RN', 'met'],
  ['RN', 'Nurse, Registered', 'met'],
  ['nurse', 'registered nurse', 'met'],
  ['Go', 'Golang', 'met'],
  ['React', 'ReactJS', 'met'],
  ['React.js', 'React', 'met'],
  ['Node.js', 'NodeJS', 'met'],
  ['JavaScript', 'JS', 'met'],
  ['Java', 'JavaScript', 'unmet'],
  ['Kubernetes', 'K8s', 'met'],
  ['PostgreSQL', 'Postgres 16', 'met'],
  ['Excel', 'MS Excel', 'met'],
  ['Microsoft Excel', 'Excel', 'met'],
  ['Active Directory', 'directory services', 'unmet'],
  ['RN license PA', 'rn license pa', 'met'],
  ['rn pa', 'Pennsylvania RN', 'met'],
  ['BLS', 'BLS (expires 01/31/2025)', 'unmet'],
  ['BLS', 'BLS (expires 01/31/2027)', 'met'],
  ['BLS', 'BLS exp. 2025-01-31', 'unmet'],
  ['BLS', 'BLS exp 2027-01-31', 'met'],
  ['BLS', 'BLS valid through 2025-01-31', 'unmet'],
  ['BLS', 'BLS good until Jan 31, 2025', 'unmet'],
  ['BLS', 'BLS, expiring 1/31/25', 'unmet'],
  ['BLS', 'BLS Expiration Date: 31 Jan 2027', 'met'],
  ['BLS', 'BLS exp 2027-01-31, ACLS exp 2025-01-31', 'unmet'],
  ['BLS', 'BLS until next spring', 'unknown'],
  ['BLS', 'BLS until 2027-02-30', 'unknown'],
  ['BLS', 'BLS exp 13/02/2027', 'unknown'],
  ['BLS', 'BLS until 2027-01-31 (pending)', 'unmet'],
  ['ICU', 'ICU 5 yrs exp', 'met'],
  ['RN', 'RN license not renewed', 'unmet'],
  ['RN', 'RN license, not yet issued', 'unmet'],
  ['RN', 'RN license no longer active', 'unmet'],
  ['RN', 'RN license expired 3 months ago', 'unmet'],
  ['RN', 'RN license expired last year', 'unmet'],
  ['RN', 'RN license no. OH 12345', 'met'],
  ['RN', 'RN (license expired)', 'unmet'],
  ['RN', 'RN (registered nurse license expired)', 'unmet'],
  ['RN', 'RN license, no proof', 'unmet'],
  ['RN', 'BSN (RN pending)', 'unmet'],
  ['BSN', 'BSN (RN pending)', 'met'],
  ['explosives', 'explosives handling', 'met'],
];

for (const [requires, credential, verdict] of rows)
  held(`"${credential}" for "${requires}" is ${verdict}`, () => {
    assert.is(judgeCredential(requires, credential), verdict);
  });

held('only words that say that a skill is missing or learned make it not held', () => {
  const skills: [string, string, Verdict][] = [
    ['Rust', 'no Rust', 'unmet'],
    ['Rust', 'Rust (learning)', 'unmet'],
    ['Rust', 'studying Rust', 'unmet'],
    ['Rust', 'Rust candidate', 'met'],
    ['case', 'pending case review', 'met'],
    ['machine', 'machine learning', 'met'],
    ['tools', 'No-code tools', 'met'],
  ];
  for (const [requires, skill, verdict] of skills)
    assert.is(judge({ requires, skills: [skill] }), verdict, skill);
});

held('the filters hold what the gate meets without looking at days', () => {
  for (const [requires, credential, verdict] of rows) {
    const isHeld = holds(readShownPhrases({ credentials: [credential] }), readStatement(requires));
    const hasDay = /until|exp|valid|good/i.test(credential);
    if (!hasDay) assert.is(isHeld, verdict === 'met', credential);
  }
});

held('of the same licence twice, once expired, the other counts', () => {
  const [old, current] = ['RN until 2025-01-01', 'RN until 2027-01-01'];
  assert.is(judgeCredential('RN', old, current), 'met');
  assert.is(judgeCredential('RN', current, old), 'met');
  assert.is(judgeCredential('RN', old, 'RN permit'), 'unknown');
});

/** Words that are no word of status, of an end, of noise or of a name with synonyms. */
const plainWords = [
  ...['Alpha', 'Bravo', 'Tower', 'crane', 'Rigging', 'ICU', 'NCCER', 'weld', 'OH', 'Texas', 'C++', 'Level'],
];
const noise = [
  'class',
  'card',
  'cert',
  'certificate',
  'endorsement',
  'License',
  'licence',
  'CURRENT',
  'valid',
];
const { ended, awaited, lacking } = content.notHeld;
const notHeld = [...ended, ...awaited, ...lacking];

const chance = toChance(47);
const pick = (from: readonly string[]) => from[chance(from.length)]!;
function drawWords(least: number): string[] {
  const words = Array.from({ length: least + chance(3) }, () => pick(plainWords));
  return [...new Set(words)].length >= least ? [...new Set(words)] : drawWords(least);
}
const shuffle = (words: readonly string[]) => words.toSorted(() => chance(3) - 1);

held('case, order of words, brackets and noise never change a verdict', () => {
  for (let run = 0; run < 3000; run += 1) {
    const had = drawWords(1);
    const asked = chance(3) === 0 ? drawWords(1) : shuffle(had).slice(0, 1 + chance(had.length));
    const qualifier = chance(2) === 0 ? '' : ` (${pick([...notHeld, ...content.limited])})`;
    const before = judgeCredential(asked.join(' '), had.join(' ') + qualifier);
    const bracketed = had.map((word) => (chance(4) === 0 ? `(${word})` : word));
    const at = chance(had.length + 1);
    const changed = shuffle(bracketed).toSpliced(at, 0, pick(noise)).join(' ') + qualifier;
    const turned = [changed, changed.toLowerCase(), changed.toUpperCase()][chance(3)]!;
    const query = shuffle([...asked, pick(noise)]).join(' ');
    const turnedQuery = [query, query.toLowerCase(), query.toUpperCase()][chance(3)]!;
    assert.is(judgeCredential(turnedQuery, turned), before, `${turnedQuery} | ${turned}`);
  }
});

held('a word of status in the middle of a phrase, not beside a state, changes nothing', () => {
  for (let run = 0; run < 2000; run += 1) {
    const words = drawWords(2).filter((word) => !['OH', 'Texas'].includes(word));
    if (words.length < 2) continue;
    const asked = shuffle(words).slice(0, 1 + chance(words.length));
    const middle = 1 + chance(words.length - 1);
    const status = pick([...ended, ...awaited, ...content.limited]);
    const credential = words.toSpliced(middle, 0, status).join(' ');
    assert.is(judgeCredential(asked.join(' '), credential), 'met', credential);
  }
});

held('a word of status first, last, in brackets or behind a sign is never met', () => {
  for (const status of [...notHeld, ...content.limited]) {
    const verdict = content.limited.includes(status) ? 'unknown' : 'unmet';
    const credential = drawWords(1).join(' ');
    for (const text of [
      `${status} ${credential}`,
      `${credential} ${status}`,
      `${credential} (${status})`,
      `${credential}, ${status}`,
      `${credential}: ${status}`,
      `${credential} - ${status}`,
      `${credential} – ${status.toUpperCase()}`,
    ]) {
      assert.is(judgeCredential(credential, text), verdict, text);
      assert.is(
        judgeCredential(`${credential} ${status}`, text),
        'met',
        `${text}, which has the word itself`,
      );
    }
  }
});

const order: Verdict[] = ['unmet', 'unknown', 'met'];

held('a longer licence, and one more credential, never make a verdict worse', () => {
  const days = ['2024-01-01', '2026-11-28', '2026-11-29', '2027-05-01', 'next year'];
  const ends = ['until', 'exp', 'expires', 'valid through', 'good until'];
  for (let run = 0; run < 3000; run += 1) {
    const draw = () => {
      const text = drawWords(1).join(' ');
      if (chance(3) === 0) return `${text} ${pick([...notHeld, ...content.limited])}`;
      return chance(2) === 0 ? text : `${text} ${pick(ends)} ${pick(days)}`;
    };
    const credentials = Array.from({ length: 1 + chance(3) }, draw);
    const requires = drawWords(1)
      .slice(0, 1 + chance(2))
      .join(' ');
    const before = order.indexOf(judgeCredential(requires, ...credentials));
    const longer = credentials.map((text) => text.replace(/(\d{4})-/, (_, year) => `${Number(year) + 3}-`));
    assert.ok(order.indexOf(judgeCredential(requires, ...longer)) >= before, `${requires}: ${longer}`);
    const more = shuffle([...credentials, draw()]);
    assert.ok(order.indexOf(judgeCredential(requires, ...more)) >= before, `${requires}: ${more}`);
  }
});

held('each name of a group meets each other', () => {
  for (const { names } of content.synonyms)
    for (const group of names)
      for (const one of group)
        for (const other of group) assert.is(judgeCredential(one, other), 'met', `${one}: ${other}`);
});

/** Ways to say of one licence, A, that it is held, and of another, B, that it is not. */
const partly = [
  'A without B',
  'A, no B',
  'A, without B',
  'A with no B',
  'A (no B)',
  'A (B expired)',
  'A (B pending)',
  'A (not B)',
  'A; lacks B',
];

held('what is said of another licence is not said of the first', () => {
  for (const text of partly)
    for (const [a, b] of [
      ['CDL A', 'Hazmat'],
      ['BLS', 'ACLS'],
      ['RN license OH', 'CCRN'],
    ] as const) {
      const credential = text.replace('A', a).replace(/B(?!LS)/, b);
      assert.is(judgeCredential(a, credential), 'met', credential);
      assert.is(judgeCredential(b, credential), 'unmet', credential);
      assert.is(judgeCredential(`${a} with ${b}`, credential), 'unmet', credential);
    }
});

held('fifty credentials of eighty characters are read', () => {
  const credentials = Array.from({ length: 50 }, (_, at) => `${at} ${'a-'.repeat(38)}`.slice(0, 80));
  assert.is(judgeCredential('BLS', ...credentials), 'unmet');
});

held.run();
