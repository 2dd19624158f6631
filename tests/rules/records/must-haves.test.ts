import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { dayAt } from '../../support/days.ts';
import type { Body } from '../../support/http.ts';
import { pluck } from '../../support/rows.ts';
import { nurseCode as onetCode, strict } from '../../support/sandbox.ts';
import { codesOf, listMatches, openSmallDesk, place } from '../../support/small-desk.ts';
import type { Desk } from '../../support/world.ts';

/** The words for what is met, unmet and unknown. Which phrases meet which is in `matches/held-phrases`. */
const musts = suite('must-haves of a job order');

const nights = {
  ...{ onetCode, requires: ['RN license - PA'], shift: 'night', skills: ['ICU'] },
  ...{ startDate: dayAt(30), endDate: dayAt(120) },
};
const fits = { credentials: ['Pennsylvania RN license'], shifts: ['night'], availableFrom: dayAt(7) };
const people: Record<string, object> = {
  lacks: { skills: ['ICU'] },
  meets: { ...fits, skills: ['Payroll'] },
  late: { ...fits, availableFrom: dayAt(31) },
  days: { ...fits, shifts: ['day', 'weekend'] },
  silent: { credentials: fits.credentials },
};

/** Opens a desk with an order of nights, and adds these people. */
async function openNights(): Promise<Desk> {
  const desk = await openSmallDesk({ a: { onetCode, status: 'withdrawn' }, o: nights });
  await desk.patch('/candidates/%23b', { status: 'withdrawn' });
  const candidates = Object.entries(people).map(([ref, more]) => ({ ref, name: ref, onetCode, ...more }));
  await desk.post('/batch', { candidates });
  return desk;
}

const matches: Record<string, Body> = Object.fromEntries(
  (await listMatches(await openNights())).map((match) => [match.candidate.ref, match]),
);

musts('a match names the credential that meets each', () => {
  assert.is(matches.meets.meets, true);
  assert.equal(matches.meets.met, [{ phrase: 'RN license - PA', by: 'Pennsylvania RN license' }]);
  assert.equal(matches.meets.unmet, []);
});

const unmet: Record<string, string> = {
  lacks: 'shows no "RN license - PA"',
  late: `is available from ${dayAt(31)}; the work starts on ${dayAt(30)}`,
  days: 'works day, weekend; the work is night',
};
for (const [ref, words] of Object.entries(unmet))
  musts(`a match says: ${words}`, () => {
    assert.is(matches[ref].meets, false);
    assert.equal(matches[ref].unmet, [words]);
  });

musts('a match says what is not stated', () => {
  assert.equal(matches.silent.unknown, ['availability not stated', 'shift not stated']);
});

musts('people who meet them come first, whatever their score', () => {
  const [first, second, third] = Object.keys(matches);
  assert.equal([first, second].sort(), ['meets', 'silent']);
  assert.is(third, 'lacks', 'by score among those who do not meet them');
});

musts('can be asked for, page by page', async () => {
  const desk = await openNights();
  const path = '/job-orders/%23o/matches?scope=workspace&meets=true&limit=1';
  const first = (await desk.get(path)).body;
  assert.is(first.total, 2);
  const next = (await desk.get(`${path}&cursor=${first.nextCursor}`)).body;
  const refs = [...first.matches, ...next.matches].map(({ candidate }: Body) => candidate.ref);
  assert.equal(refs.sort(), ['meets', 'silent']);
  assert.not('nextCursor' in next);
});

musts('that are unmet are warned of by a proposal and by its acceptance, and not between', async () => {
  const desk = await openSmallDesk({ a: { onetCode }, o: nights });
  const proposal = { onetCode, status: 'proposed' };
  const refused = await place(desk, proposal, strict);
  assert.is(refused.body.code, 'conflict');
  assert.equal(pluck(refused.body.issues, 'path'), ['candidateId']);
  const made = await place(desk, proposal);
  assert.equal(codesOf(made), ['requirement_unmet']);
  assert.match(made.body.warnings[0].message, 'RN license - PA');

  const { self } = made.body.placement.links;
  assert.equal(codesOf(await desk.patch(self, { status: 'interviewing' })), []);
  await desk.patch('/candidates/%23a', { availableFrom: dayAt(40), shifts: ['day'] });
  const all = ['requirement_unmet', 'not_available', 'wrong_shift'];
  const strictly = await desk.patch(self, { status: 'scheduled' }, strict);
  assert.equal(codesOf(strictly), all);
  assert.is(strictly.status, 409);
  assert.equal(codesOf(await desk.patch(self, { status: 'scheduled' })), all);
});

musts.run();
