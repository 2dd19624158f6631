import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { checkParties } from '../../../src/briefs/check-parties.ts';
import type { PartyRule } from '../../../src/briefs/party.ts';
import { planReactions, type WrittenRow } from '../../../src/briefs/react.ts';
import { readBrief } from '../../support/briefs.ts';

const rules = suite('the rules of people in a brief');

const decline = { change: { status: 'declined', declineReason: 'candidate' } };
const onOffer: PartyRule = {
  id: 'no',
  when: { kind: 'placement', to: 'offered' },
  if: {},
  from: 1,
  until: undefined,
  does: decline,
};
const rule = (more: object): PartyRule => ({ ...onOffer, ...more }) as PartyRule;

const offered: WrittenRow = {
  kind: 'placement',
  id: 'plc_1',
  before: { status: 'proposed', payRateUsdHour: 40, candidateId: 'cand_1' },
  after: { status: 'offered', payRateUsdHour: 40, candidateId: 'cand_1', jobOrderId: 'job_1' },
  issued: [],
};
const rows: Record<string, { id: string; row: object }[]> = {
  placement: [
    { id: 'plc_1', row: { ...offered.after, id: 'plc_1' } },
    { id: 'plc_2', row: { status: 'proposed', jobOrderId: 'job_1' } },
    { id: 'plc_3', row: { status: 'proposed', jobOrderId: 'job_2' } },
  ],
};
const scope = {
  resolve: (value: unknown) => value,
  findRow: (id: unknown) => (id === 'cand_1' ? { name: 'Ada', payRateUsdHour: 44 } : undefined),
  listRows: (kind: string) => rows[kind] ?? [],
};
const plan = (list: PartyRule[], written = [offered], matched = {}) =>
  planReactions(list, matched, written, scope);
const listIds = (list: PartyRule[], written = [offered], matched = {}) =>
  plan(list, written, matched).reactions.map(({ id }) => id);

rules('apply to a record that moves to a status', () => {
  assert.equal(listIds([onOffer]), ['plc_1']);
});

rules('apply to a record that was created with the status', () => {
  const { before: _, ...created } = offered;
  assert.equal(listIds([onOffer], [created]), ['plc_1']);
});

rules('do not apply to a record that had the status before', () => {
  assert.equal(listIds([onOffer], [{ ...offered, before: { status: 'offered' } }]), []);
});

rules('apply to a member that changed, and not to one of a new record', () => {
  const onRate = rule({ when: { kind: 'placement', changed: 'payRateUsdHour' } });
  const changed = { ...offered, after: { ...offered.after, payRateUsdHour: 41 } };
  assert.equal(listIds([onRate]), []);
  assert.equal(listIds([onRate], [changed]), ['plc_1']);
  const { before: _, ...created } = changed;
  assert.equal(listIds([onRate], [created]), []);
});

rules('apply to what was issued', () => {
  const onAsked = rule({ when: { kind: 'placement', issued: 'client' }, does: { answer: 'confirm' } });
  assert.equal(listIds([onAsked]), []);
  assert.equal(listIds([onAsked], [{ ...offered, issued: ['client'] }]), ['plc_1']);
});

rules('read the record that a member refers to', () => {
  const ifDear = (least: number) =>
    rule({ if: { candidateId: { record: { payRateUsdHour: { min: least } } } } });
  assert.equal(listIds([ifDear(44)]), ['plc_1']);
  assert.equal(listIds([ifDear(45)]), []);
});

rules('change other records, those of the one that was written among them', () => {
  const each = { kind: 'placement', where: { status: 'proposed', jobOrderId: 'job_1' } };
  assert.equal(listIds([rule({ does: { ...decline, each } })]), ['plc_2']);
  const ofThis = { kind: 'placement', where: { id: '#this' } };
  assert.equal(listIds([rule({ does: { ...decline, each: ofThis } })]), ['plc_1']);
});

rules('count their matches, and apply from one time until another', () => {
  const third = rule({ from: 3, until: 3 });
  assert.equal(plan([third]).matched, { no: 1 });
  assert.equal(listIds([third], [offered], { no: 1 }), []);
  assert.equal(listIds([third], [offered], { no: 2 }), ['plc_1']);
  assert.equal(listIds([third], [offered], { no: 3 }), []);
});

rules('count each record of one change', () => {
  const second = rule({ from: 2 });
  assert.equal(listIds([second], [offered, { ...offered, id: 'plc_9' }]), ['plc_9']);
});

rules('change nothing of what they read', () => {
  const matched = Object.freeze({ no: 1 });
  plan([onOffer], [Object.freeze(offered)], matched);
  assert.equal(matched, { no: 1 });
});

const { fixture } = readBrief('counter-offers');
const check = (...list: object[]) =>
  checkParties({ fixture, parties: [{ who: 'them', rules: list.map(rule) }] } as never).join('\n');

const mistakes: [title: string, expected: RegExp, ...list: object[]][] = [
  ['an unknown kind', /the kinds are candidate, jobOrder, placement/, { when: { kind: 'order', to: 'x' } }],
  [
    'a status that no record has',
    /can never apply: no placement is hired/,
    { when: { kind: 'placement', to: 'hired' } },
  ],
  ['a member that no record has', /can never apply: no placement has rate/, { if: { rate: 40 } }],
  [
    'a member that the other record does not have',
    /can never apply: no candidate has rate/,
    { if: { candidateId: { record: { rate: 40 } } } },
  ],
  [
    'a member that refers to no record',
    /can never apply: note of a placement refers to no record/,
    { if: { note: { record: { name: 'Ada' } } } },
  ],
  [
    'a key that is not in the fixture',
    /no record of the fixture is called c99/,
    { if: { candidateId: '#c99' } },
  ],
  [
    'another status than that of the cause',
    /needs another status than offered/,
    { if: { status: 'proposed' } },
  ],
  ['a last time before the first', /its last time, 1, is before its first, 2/, { from: 2, until: 1 }],
  [
    'a member that no call can change',
    /changes rate, and no placement takes it/,
    { does: { change: { rate: 1 } } },
  ],
  [
    'a status that no move leads to',
    /moves a placement to active/,
    { does: { change: { status: 'active' } } },
  ],
  ['an answer without a question', /answers a confirmation/, { does: { answer: 'confirm' } }],
  [
    'a rule that would react to itself',
    /rule no would react to itself/,
    { does: { change: { status: 'offered' } } },
  ],
  [
    'rules that would react to each other',
    /rules a, b would react to each other in a circle/,
    { id: 'a' },
    { id: 'b', when: { kind: 'placement', to: 'declined' }, does: { change: { status: 'offered' } } },
  ],
  ['two rules for one change', /rules a and b can answer one change of one record/, { id: 'a' }, { id: 'b' }],
  ['one name for two rules', /two rules are called no/, {}, { if: { candidateId: '#c1' } }],
];

for (const [title, expected, ...list] of mistakes)
  rules(`are refused at build: ${title}`, () => {
    assert.match(check(...list), expected);
  });

const fine: [title: string, ...list: object[]][] = [
  ['two people', { id: 'a', if: { candidateId: '#c1' } }, { id: 'b', if: { candidateId: ['#c2', '#c3'] } }],
  ['a value and all others', { id: 'a', if: { note: 'x' } }, { id: 'b', if: { note: { not: ['X', 'y'] } } }],
  [
    'a rate and below it',
    { id: 'a', if: { payRateUsdHour: { min: 4 } } },
    { id: 'b', if: { payRateUsdHour: { not: { min: 4 } } } },
  ],
  ['set and not set', { id: 'a', if: { note: 'x' } }, { id: 'b', if: { note: { absent: true } } }],
  ['the first time and later', { id: 'a', until: 1 }, { id: 'b', from: 2 }],
  [
    'other records of one cause',
    { id: 'a' },
    { id: 'b', does: { change: { note: 'x' }, each: { kind: 'candidate', where: {} } } },
  ],
];

for (const [title, ...list] of fine)
  rules(`are told apart: ${title}`, () => {
    assert.is(check(...list), '');
  });

rules.run();
