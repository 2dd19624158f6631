import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { address } from '../../support/activity.ts';
import { dayAt } from '../../support/days.ts';
import { openSmallDesk, place } from '../../support/small-desk.ts';

const history = suite('the sentence of an entry');

/** Places someone, changes the placement, and reads the newest sentence of its history. */
async function readSentence(sent: object, headers: object = {}): Promise<string> {
  const desk = await openSmallDesk();
  const first = { ref: 'x', startDate: dayAt(0), plannedEndDate: '2027-01-31', billRateUsdHour: 75 };
  const { body } = await place(desk, first);
  await desk.patch('/placements/%23x', sent, headers);
  const { activity } = (await desk.get(`${address}?record=${body.placement.id}`)).body;
  return activity[0].sentence;
}

const rows: [sent: object, headers: object, sentence: string][] = [
  [
    { billRateUsdHour: 78, effectiveDate: '2026-12-01', reason: 'the client extended' },
    { 'x-actor': 'Dana%20Example' },
    'Bill rate 75 to 78, from 1 December, because the client extended (Dana Example)',
  ],
  [
    { billRateUsdHour: 78, plannedEndDate: '2027-03-31', effectiveDate: '2027-02-01' },
    {},
    'Extended from 31 January 2027 to 31 March 2027, bill rate 75 to 78, from 1 February 2027',
  ],
  [{ billRateUsdHour: null }, {}, 'Bill rate removed, was 75'],
  [{ payRateUsdHour: 50 }, {}, 'Pay rate 50'],
  [{ note: 'private' }, {}, 'Note changed'],
  [{}, {}, 'Added'],
];
for (const [sent, headers, sentence] of rows)
  history(`says: ${sentence}`, async () => {
    assert.is(await readSentence(sent, headers), sentence);
  });

history.run();
