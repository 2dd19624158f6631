import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { formatDatesIn } from '../../src/pages/_scripts/format.ts';
import { describeDecision } from '../../src/pages/_scripts/shortlist-card.ts';

const cards = suite('words of a card');

type Row = Parameters<typeof describeDecision>[0];
const describe = (decision: Row['decision'], status: Row['status']) =>
  describeDecision({ decision, status } as Row);

for (const [decision, status, words] of [
  [undefined, 'proposed', undefined],
  ['interview', 'interviewing', 'You asked for an interview.'],
  ['decline', 'declined', 'You declined.'],
  ['interview', 'declined', 'You asked for an interview. Now: declined.'],
  ['interview', 'offered', 'You asked for an interview. Now: offered.'],
  ['decline', 'interviewing', 'You declined. Now: interviewing.'],
] as const)
  cards(`says of the decision ${decision}, with the status ${status}: ${words}`, () => {
    assert.is(describe(decision, status), words);
  });

for (const [text, words] of [
  ['until 2027-01-15', 'until 15 Jan 2027'],
  ['2024-02-29 to 2024-03-01', '29 Feb 2024 to 1 Mar 2024'],
  ['until 2026-02-30', 'until 2026-02-30'],
  ['until 2026-02-29', 'until 2026-02-29'],
  ['part 2026-13-01', 'part 2026-13-01'],
] as const)
  cards(`formats the dates in "${text}"`, () => {
    assert.is(formatDatesIn(text), words);
  });

cards.run();
