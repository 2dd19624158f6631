import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { kinds } from '../../src/kinds.ts';
import { groupByDay, listReasons, mergeActivity } from '../../src/pages/_desk/activity/activity-page.ts';
import {
  type ActivityRow,
  hasSentence,
  type SentenceFacts,
  type SentencePart,
  tellEntry,
} from '../../src/pages/_desk/activity/activity-sentence.ts';
import { operations } from '../../src/table.ts';

const sentences = suite('sentences of the activity');

const person = { id: 'cand_1', kind: 'candidate', name: 'Nina Example' };
const order = { id: 'job_1', kind: 'jobOrder', name: 'Welder II' };
const proposal = { id: 'plc_1', kind: 'placement', name: 'Nina Example, Truck Driver' };
const second = { id: 'plc_2', kind: 'placement', name: 'Bo Example, Truck Driver' };
const third = { id: 'plc_3', kind: 'placement', name: 'Ann Example, Truck Driver' };
const fourth = { id: 'plc_4', kind: 'placement', name: 'Luis Example, Nurse' };
const at = '2026-11-24T09:14:00.000Z';

const title = (name: string, words: string) => ({ name, title: words });
const facts: SentenceFacts = {
  isOwner: false,
  visitor: 'browser-me',
  kinds: kinds.map(({ name, noun, plural }) => ({
    ...{ name, noun, plural },
    fields: [
      title('payRateUsdHour', 'Pay rate'),
      title('onetCode', 'O*NET-SOC code'),
      title('metro', 'Metro'),
    ],
    moving: [title('endDate', 'End')],
  })),
  findPlacement({ name }) {
    const [who = '', job = ''] = (name ?? '').split(', ');
    return { person: who, job, createdAt: at, firstStatus: 'proposed' };
  },
};
const withoutNames: SentenceFacts = { ...facts, findPlacement: () => undefined };

const toEntry = (entry: Partial<ActivityRow>): ActivityRow => ({
  ...{ revision: 2, at, via: 'mcp', client: 'claude-code', operation: 'createBatch', records: [] },
  ...entry,
});
const toText = (parts: readonly SentencePart[]) =>
  parts.map((part) => (typeof part === 'string' ? part : part.name)).join('');
const tell = (entry: Partial<ActivityRow>, given = facts) =>
  toText(tellEntry(toEntry(entry), given).slice(1));

/** Operations that write no entry: they change no workspace, or end it. */
const withoutEntry = ['callMcp', 'codeTitles', 'deleteWorkspace', 'signIn'];

for (const { operationId } of operations.filter(({ effect }) => effect !== 'read'))
  if (!withoutEntry.includes(operationId))
    sentences(`has a sentence for ${operationId}`, () => {
      assert.ok(hasSentence(operationId));
    });

const told: [words: string, entry: Partial<ActivityRow>][] = [
  ['added the candidate Nina Example', { operation: 'createCandidate', records: [person] }],
  ['added the job order Welder II', { operation: 'createJobOrder', records: [order] }],
  ['proposed Nina Example for Truck Driver', { operation: 'createPlacement', records: [proposal] }],
  [
    'changed the pay rate of Welder II',
    { operation: 'updateJobOrder', records: [order], members: ['payRateUsdHour'] },
  ],
  [
    'changed the pay rate, O*NET-SOC code and metro of Nina Example',
    { operation: 'updateCandidate', records: [person], members: ['payRateUsdHour', 'onetCode', 'metro'] },
  ],
  [
    'changed 4 members of Nina Example',
    { operation: 'updateCandidate', records: [person], members: ['a', 'b', 'c', 'd'] },
  ],
  [
    'changed the end of Nina Example for Truck Driver',
    { operation: 'updatePlacement', records: [proposal], members: ['endDate'] },
  ],
  [
    'withdrew Nina Example',
    { operation: 'updateCandidate', records: [person], from: 'available', to: 'withdrawn' },
  ],
  [
    'made Nina Example available again',
    { operation: 'updateCandidate', records: [person], from: 'withdrawn', to: 'available' },
  ],
  ['closed Welder II', { operation: 'updateJobOrder', records: [order], from: 'open', to: 'closed' }],
  ['opened Welder II again', { operation: 'updateJobOrder', records: [order], from: 'closed', to: 'open' }],
  [
    'changed Welder II and 2 more records',
    { operation: 'updateJobOrder', records: [order, proposal, second] },
  ],
  ['deleted a candidate', { operation: 'deleteCandidate', records: [{ ...person, name: null }] }],
  ['created 200 candidates', { records: [person], more: 199, created: { candidate: 200 } }],
  [
    'created 1 candidate and 2 job orders, and changed 1 record',
    { records: [person, order, order, order], created: { candidate: 1, jobOrder: 2 } },
  ],
  ['changed 2 records', { records: [person, order], created: {} }],
  ['saved 2 records', { records: [person, order] }],
  ['saved Nina Example', { records: [person] }],
  ['proposed Nina Example and Bo Example for Truck Driver', { records: [proposal, second] }],
  [
    'proposed Nina Example, Bo Example and 2 more for Truck Driver',
    { records: [proposal, second, third, { ...third, id: 'plc_5' }] },
  ],
  ['proposed 2 people for 2 jobs', { records: [proposal, fourth] }],
  ['shared the shortlist of Welder II', { operation: 'createShortlist', records: [order] }],
  [
    'asked to interview Nina Example for Truck Driver',
    { operation: 'decideShortlist', records: [proposal], from: 'proposed', to: 'interviewing' },
  ],
  [
    'declined Nina Example for Truck Driver',
    { operation: 'decideShortlist', records: [proposal], from: 'proposed', to: 'declined' },
  ],
  [
    'took back the decision on Nina Example for Truck Driver',
    { operation: 'decideShortlist', records: [proposal] },
  ],
  [
    'stated the outcome of Nina Example as Truck Driver',
    { operation: 'stateOutcome', records: [proposal], members: ['result'] },
  ],
  [
    'made a link to confirm the outcome of Nina Example as Truck Driver',
    { operation: 'requestConfirmation', records: [proposal] },
  ],
  [
    'answered what is stated of Nina Example as Truck Driver',
    { operation: 'answerConfirmation', records: [proposal] },
  ],
  ['set up this workspace with 2 records', { operation: 'startBrief', records: [person, order] }],
  ['claimed this workspace', { operation: 'answerClaim' }],
];

for (const [words, entry] of told)
  sentences(`says: ${words}`, () => {
    assert.is(tell(entry), words);
  });

const moves: [to: string, words: string][] = [
  ['interviewing', 'moved Nina Example to interviewing for Truck Driver'],
  ['offered', 'made an offer to Nina Example for Truck Driver'],
  ['scheduled', 'accepted Nina Example for Truck Driver'],
  ['declined', 'declined Nina Example for Truck Driver'],
  ['ended-early', 'ended the placement of Nina Example as Truck Driver'],
  ['completed', 'ended the placement of Nina Example as Truck Driver'],
];
for (const [to, words] of moves)
  sentences(`says that a placement moved to ${to}: ${words}`, () => {
    assert.is(tell({ operation: 'updatePlacement', records: [proposal], from: 'proposed', to }), words);
  });

sentences('names a placement as the service does if its person and job are not known apart', () => {
  const entry = { operation: 'updatePlacement', records: [proposal], from: 'proposed', to: 'interviewing' };
  assert.is(tell(entry, withoutNames), 'moved Nina Example, Truck Driver to interviewing');
});

sentences('does not claim that a new placement is proposed if its first status is not known', () => {
  const entry = { operation: 'createPlacement', records: [proposal] };
  assert.is(tell(entry, withoutNames), 'added the placement Nina Example, Truck Driver');
});

sentences('says that a placement without a stage was placed', () => {
  const placedFacts: SentenceFacts = {
    ...facts,
    findPlacement: () => ({ person: 'Nina Example', job: 'Nurse', createdAt: at, firstStatus: 'active' }),
  };
  const entry = { operation: 'createPlacement', records: [proposal] };
  assert.is(tell(entry, placedFacts), 'placed Nina Example as Nurse');
});

sentences('links a name to its record', () => {
  const [, , name] = tellEntry(toEntry({ operation: 'createCandidate', records: [person] }), facts);
  assert.equal(name, { name: 'Nina Example', id: 'cand_1' });
});

sentences('has no link to a deleted record', () => {
  const records = [{ ...person, name: null }];
  const parts = tellEntry(toEntry({ operation: 'updateCandidate', records, members: ['metro'] }), facts);
  assert.is(toText(parts), 'claude-codechanged the metro of a deleted candidate');
  assert.not(parts.some((part) => typeof part !== 'string' && part.id !== undefined));
});

const now = new Date(2026, 10, 24, 12).getTime();
const dated = (revision: number, ...date: [number, number, number, number]) =>
  toEntry({ revision, at: new Date(...date).toISOString() });

sentences('groups entries by day, and calls the last two days by name', () => {
  const days = groupByDay(
    [dated(3, 2026, 10, 24, 9), dated(2, 2026, 10, 23, 23), dated(1, 2026, 10, 20, 1)],
    now,
  );
  assert.equal(
    days.map(({ title: name }) => name),
    ['Today', 'Yesterday', '20 Nov 2026'],
  );
});

sentences('puts an entry of an example under the day that it states, and says that it is one', () => {
  const stated = { effectiveDate: '2026-11-20' };
  const days = groupByDay(
    [
      dated(4, 2026, 10, 24, 9),
      { ...dated(3, 2026, 10, 24, 9), actor: 'Ines Calder', ...stated },
      { ...dated(2, 2026, 10, 24, 9), actor: 'Scout (example agent)', ...stated },
      { ...dated(1, 2026, 10, 24, 9), actor: 'Ines Calder (example)', ...stated },
    ],
    now,
  );
  assert.equal(
    days.map(({ title: name, entries }) => [name, entries.length]),
    [
      ['Today', 2],
      ['20 Nov 2026 (example)', 2],
    ],
  );
});

sentences('lists the reason of an entry once, or that of each record', () => {
  assert.equal(listReasons(toEntry({ reason: 'all met', records: [proposal, second] })), [
    { reason: 'all met' },
  ]);
  const records = [{ ...proposal, reason: 'nights' }, second, { ...third, reason: 'days' }];
  assert.equal(listReasons(toEntry({ records })), [
    { name: 'Nina Example', reason: 'nights' },
    { name: 'Ann Example', reason: 'days' },
  ]);
});

sentences('puts newer entries in front, each once', () => {
  const page = { entries: [toEntry({ revision: 2 })], next: 'more' };
  const merged = mergeActivity(page, [toEntry({ revision: 3 }), toEntry({ revision: 2 })]);
  assert.equal(
    merged.entries.map(({ revision }) => revision),
    [3, 2],
  );
});

sentences('takes the name away from older entries of a record that was deleted', () => {
  const page = { entries: [toEntry({ revision: 2, records: [person] })], next: undefined };
  const deleted = toEntry({ revision: 3, records: [{ ...person, name: null }] });
  assert.is(mergeActivity(page, [deleted]).entries[1]?.records[0]?.name, null);
});

sentences.run();
