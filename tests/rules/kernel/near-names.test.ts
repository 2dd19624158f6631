import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  createNearNameSearch,
  findNearPaths,
  findNearTools,
  formatSuggestion,
  isMisspelled,
  type NearMisses,
  suggestName,
} from '../../../src/kernel/near-miss.ts';
import { formatWording } from '../../../src/kernel/wording.ts';
import { toChance } from '../../support/people.ts';

const near = suite('names that a caller probably meant');

const misses: NearMisses = {
  words: {
    ...{ salary: ['pay'], worker: ['candidate'], requisition: ['job order'] },
    ...{ fullname: ['name'], workinghours: ['availability'] },
  },
  notes: { name: 'of a person' },
  absent: { email: 'it is not stored' },
  fillers: [],
};
const names = ['name', 'onetCode', 'payUsdHour', 'startDate', 'candidateId', 'credentials', 'availability'];
const find = createNearNameSearch(names, misses);

/** Other ways to write a name of several words. */
const spellings: ((name: string) => string)[] = [
  (name) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
  (name) => name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`),
  (name) => name[0]!.toUpperCase() + name.slice(1),
  (name) => name.toUpperCase(),
];

near('a name in another spelling is that name', () => {
  for (const name of names) for (const spell of spellings) assert.is(find(spell(name)), name, spell(name));
});

near('a name with one wrong letter is that name', () => {
  const chance = toChance(111);
  for (const name of names)
    for (let round = 0; round < 20; round += 1) {
      const at = chance(name.length);
      const swapped = name.slice(0, at) + 'qxz'[chance(3)] + name.slice(at + 1);
      for (const wrong of [swapped, name.slice(0, at) + name.slice(at + 1)])
        assert.is(find(wrong), name, `${wrong} for ${name}`);
    }
});

const singulars: Record<string, string> = {
  branches: 'branch',
  dishes: 'dish',
  boxes: 'box',
  statuses: 'status',
  classes: 'class',
  companies: 'company',
};

near('a plural of any ending has the words of its singular', () => {
  for (const [plural, singular] of Object.entries(singulars)) {
    assert.equal(findNearTools(plural, [`list_${singular}`], misses), [`list_${singular}`], plural);
    assert.equal(findNearTools(singular, [`list_${plural}`], misses), [`list_${plural}`], singular);
  }
});

/** Whether two words mean the same, in both directions. */
const isSameWord = (one: string, other: string) =>
  [findNearTools(one, [other], misses), findNearTools(other, [one], misses)].map(({ length }) => length > 0);

near('a word of five letters or more may have one wrong letter in six', () => {
  for (const [one, other] of [
    ['abcdef', 'abcdxf'],
    ['abcde', 'abcdef'],
    ['abcdefghijkl', 'abxdefghixkl'],
    ['jobs', 'job'],
  ] as const)
    assert.equal(isSameWord(one, other), [true, true], `${one} and ${other}`);
  for (const [one, other] of [
    ['abcde', 'abcdx'],
    ['abcdef', 'abxdxf'],
    ['abcdefghijk', 'abxdefghixk'],
    ['gas', 'ga'],
  ] as const)
    assert.equal(isSameWord(one, other), [false, false], `${one} and ${other}`);
});

near('of names that fit nearly as well, the likeliest comes first', () => {
  const words = 'alpha beta gamma delta kappa lambda sigma omega theta zeta';
  const longer = `${words} iota`;
  assert.equal(findNearTools(words, [longer, words], misses), [words, longer]);
});

near('a tool is suggested from half of its words on', () => {
  assert.equal(findNearTools('mail_candidate', ['getCandidate'], misses), ['getCandidate']);
  assert.equal(findNearTools('mail_candidate', ['getCandidateNow'], misses), []);
});

near('a word of the table is one of ours', () => {
  assert.is(find('salaryUsdHour'), 'payUsdHour');
  assert.is(find('worker_id'), 'candidateId');
});

near('a whole name of the table is ours, and only if there is such a name', () => {
  for (const sent of ['fullName', 'full_name', 'FULL-NAME']) assert.is(find(sent), 'name');
  assert.is(find('workingHours'), 'availability');
  assert.is(createNearNameSearch(['title'], misses)('fullName'), undefined);
});

near('a name that has nothing in common with any is none', () => {
  for (const sent of ['colour', 'x', '', 'zzzzzzzzzzzz', 'toString', 'constructor', '__proto__'])
    assert.is(find(sent), undefined, sent);
});

near('a name is misspelled if at most a quarter of its letters is wrong', () => {
  assert.ok(isMisspelled('workspase', 'workspace'));
  assert.ok(isMisspelled('Work_Space', 'workspace'));
  assert.ok(isMisspelled('wxrkspxce', 'workspace'));
  assert.not(isMisspelled('wxrxspxce', 'workspace'));
  assert.ok(isMisspelled('abcx', 'abcd'));
  assert.not(isMisspelled('abxx', 'abcd'));
});

const hint = (sent: string) => formatWording(suggestName(sent, find, misses));

near('a hint names what was meant with its note, or says why there is nothing', () => {
  assert.is(hint('colour'), '');
  assert.is(hint('start_date'), '; did you mean startDate?');
  assert.is(hint('fullName'), '; did you mean name (of a person)?');
  assert.is(hint('e-mail'), '; it is not stored');
});

near('a suggestion joins what was meant with or', () => {
  assert.is(formatSuggestion([]), '');
  assert.is(formatSuggestion(['/a']), ' Did you mean /a?');
  assert.is(formatSuggestion(['/a', '/b', '/c']), ' Did you mean /a, /b or /c?');
});

near('at most three tools are suggested', () => {
  const many = ['getCandidate', 'listCandidate', 'findCandidate', 'dropCandidate', 'hireCandidate'];
  assert.is(findNearTools('candidate', many, misses).length, 3);
});

const paths = [
  '/candidates',
  '/candidates/{id}',
  '/job-orders',
  '/job-orders/{id}',
  '/candidates/{id}/matches',
];
const findPaths = (sent: string) => findNearPaths(sent, paths, misses, ['ws_', 'tok_']);

near('a path is found with the id that was sent', () => {
  assert.equal(findPaths('/workers/cand_001'), ['/candidates/cand_001']);
  assert.equal(findPaths('/candidate/17/match'), ['/candidates/17/matches']);
  assert.is(findPaths('/jobOrder')[0], '/job-orders');
  assert.equal(findNearPaths('/salary', ['/pay'], misses, []), ['/pay']);
});

near('a path is found below an address of another kind of interface', () => {
  for (const start of ['/api', '/rest', '/v1', '/API/v22'])
    assert.is(findPaths(`${start}/candidate`)[0], '/candidates', start);
});

near('a first segment with a digit is no id', () => {
  assert.equal(findPaths('/17'), []);
  assert.equal(findNearPaths('/a1/candidates', ['/candidates/{id}'], misses, []).join(), '');
});

near('a secret in a path is not repeated', () => {
  for (const secret of ['ws_123', 'tok_9', 'WS_123']) {
    const found = findPaths(`/candidates/${secret}`);
    assert.is(found[0], '/candidates', secret);
    assert.not.match(found.join(), /123|tok_9/i);
  }
});

near('a segment with other signs is no id', () => {
  assert.not.match(findPaths('/candidates/%3Cb%3E1').join(), '%3C');
});

near('a long name is read only at its beginning', () => {
  const long = 'start_date'.padEnd(500_000, '_');
  assert.is(find(long), 'startDate');
  assert.is(find(`${'_'.repeat(80)}start_date`), undefined);
});

near.run();
