import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createRandom } from '../../../scripts/titles/train-network.ts';
import { dayAt } from '../../support/days.ts';
import type { Body, Reply } from '../../support/http.ts';
import { strict } from '../../support/sandbox.ts';
import { openSmallDesk, place } from '../../support/small-desk.ts';
import type { Desk } from '../../support/world.ts';

/** A batch of changes does what the same changes do one after the other, or nothing if one of them is refused. */
const law = suite('a batch of random changes');

const random = createRandom(94);
const below = (limit: number) => Math.floor(random() * limit);
const pick = <T>(items: readonly T[]): T => items[below(items.length)]!;

/** Opens a desk with proposals `x` and `y`, and a placement `z` that has started. */
async function openDesk(): Promise<Desk> {
  const desk = await openSmallDesk({ a: { metro: 'Reno, NV' }, o: { openings: 2 } });
  await place(desk, { ref: 'x', status: 'proposed' });
  await place(desk, { ref: 'y', status: 'proposed', candidateId: '#b' });
  await place(desk, { ref: 'z', jobOrderId: '#p', candidateId: '#b', startDate: dayAt(-20) });
  return desk;
}

const paths = { candidate: '/candidates', jobOrder: '/job-orders', placement: '/placements' };
type KindName = keyof typeof paths;
const refs: Record<KindName, string[]> = {
  candidate: ['a', 'b'],
  jobOrder: ['o', 'p'],
  placement: ['x', 'y', 'z'],
};
const end = { endDate: dayAt(-1), endReason: 'client-ended' };

/** What may be changed in each kind. Some of it is refused, and some only after an earlier change. */
const patches: Record<KindName, object[]> = {
  candidate: [
    ...[
      { status: 'withdrawn' },
      { status: 'available' },
      { metro: null },
      { metro: 'Austin, TX', note: 'x' },
    ],
    ...[{ hours: 30 }, { skills: [''] }],
  ],
  jobOrder: [
    ...[{ status: 'closed' }, { status: 'open' }, { openings: 1 }, { openings: 3 }, { endDate: dayAt(-1) }],
    ...[
      { status: 'closed', declineProposals: true },
      { startDate: dayAt(9), endDate: dayAt(8) },
    ],
  ],
  placement: [
    ...[{ status: 'interviewing' }, { status: 'offered', reason: 'liked' }, { status: 'scheduled' }],
    ...[
      { status: 'scheduled', startDate: dayAt(-9) },
      { status: 'declined', declineReason: 'client' },
    ],
    ...[end, { endDate: null }, { endReason: 'other' }, { jobOrderId: '#p' }, { candidateId: '#a' }],
    ...[{ plannedEndDate: dayAt(9) }, { onetCode: '29-1141.00' }, { note: 'Called.' }],
  ],
};

interface SingleChange {
  path: string;
  ref: string;
  patch: object;
}

function drawChange(): SingleChange {
  const kind = pick(['candidate', 'jobOrder', 'placement', 'placement', 'placement'] as const);
  const ref = pick(refs[kind]);
  return { path: `${paths[kind]}/%23${ref}`, ref, patch: pick(patches[kind]) };
}

/** Reads all records of a desk by ref, with the refs of what they refer to. */
async function readAll(desk: Desk): Promise<Record<string, Body>> {
  const { candidates, jobOrders, placements } = (await desk.get('/workspace/export')).body;
  const rows: Body[] = [...candidates, ...jobOrders, ...placements];
  const texts = rows.map(({ history: _, ...row }) => JSON.stringify(row));
  const named = rows.reduce<string>((text, { id, ref }) => text.replaceAll(id, `#${ref}`), `[${texts}]`);
  return Object.fromEntries(JSON.parse(named).map((row: Body) => [row.ref, row]));
}

const describe = (findings: Body[] = [], at = '') =>
  findings.map(({ code, path }) => `${code} ${at}${path}`).sort();

/** Sends changes one after the other, until one is refused. */
async function sendSingly(desk: Desk, changes: SingleChange[], headers: object) {
  const warnings: string[] = [];
  for (const [at, { path, patch }] of changes.entries()) {
    const reply = await desk.patch(path, patch, headers);
    if (reply.status !== 200) return { refused: reply, at, warnings };
    warnings.push(...describe(reply.body.warnings, `changes[${at}].`));
  }
  return { at: changes.length, warnings: warnings.sort() };
}

const toBatch = (changes: SingleChange[]) => ({
  changes: changes.map(({ ref, patch }) => ({ id: `#${ref}`, ...patch })),
});

/** Checks the refusal of a batch in which a change is the first that is refused alone, at a path. */
function checkRefusal(reply: Reply, at: number, path: string, changes: SingleChange[]): void {
  const what = JSON.stringify(changes);
  assert.ok(reply.status >= 400, what);
  const places: string[] = reply.body.issues.map((issue: Body) => issue.path);
  // Wrong values of later changes are found before conflicts of this one.
  for (const place of places.filter(Boolean))
    assert.ok(Number(/^changes\[(\d+)\]/.exec(place)![1]) >= at, `${what} ${places}`);
  if (at === changes.length - 1) assert.ok(places.includes(`changes[${at}].${path}`), `${what} ${places}`);
}

for (const [handling, headers] of Object.entries({ lenient: {}, strict }))
  law(`does what its changes do one by one, under ${handling} handling`, async () => {
    const tally = { made: 0, refused: 0, warned: 0 };
    for (let round = 0; round < 50; round += 1) {
      const changes = Array.from({ length: 1 + below(3) }, drawChange);
      const what = JSON.stringify(changes);
      const [one, other] = [await openDesk(), await openDesk()];
      const before = await readAll(one);
      const { refused, at, warnings } = await sendSingly(other, changes, headers);
      const reply = await one.post('/batch', toBatch(changes), headers);
      if (refused) {
        tally.refused += 1;
        checkRefusal(reply, at, refused.body.issues[0].path, changes);
        assert.equal(await readAll(one), before, `${what} is refused, and changes nothing`);
        continue;
      }
      tally.made += 1;
      if (warnings.length > 0) tally.warned += 1;
      assert.is(reply.status, 200, `${what} ${reply.text}`);
      assert.equal(await readAll(one), await readAll(other), what);
      assert.equal(describe(reply.body.warnings), warnings, what);
    }
    assert.ok(tally.made > 10 && tally.refused > 10, JSON.stringify(tally));
    if (handling === 'lenient') assert.ok(tally.warned > 5, JSON.stringify(tally));
  });

law.run();
