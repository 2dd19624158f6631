import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  type Fit,
  groupFits,
  listConflicts,
  pickWithoutConflicts,
  readEvidence,
} from '../../src/pages/_desk/room/fits.ts';

const fits = suite('people for an order');

const statuses = ['proposed', 'interviewing', 'offered', 'scheduled', 'active', 'declined', 'completed'];

const anyMatch = fc.record({
  met: fc.constant([{ phrase: 'BLS', by: 'BLS' }]),
  unmet: fc.subarray(['shows no "ACLS"', 'works day; the shift is night']),
  unknown: fc.subarray(['availability not stated']),
  endsDuring: fc.subarray([{ requirement: 'BLS', until: '2027-01-03' }]),
});

/** Fits of one order, in any stage. */
const anyFits = fc
  .record({
    openingsLeft: fc.integer({ min: 0, max: 4 }),
    people: fc.array(
      fc.record({ match: fc.option(anyMatch, { nil: undefined }), status: fc.constantFrom(...statuses) }),
      { maxLength: 8 },
    ),
  })
  .map(({ openingsLeft, people }) => {
    const order = { id: 'job_1', title: 'Nurse', client: 'Example', openings: 4, openingsLeft };
    const requires = ['BLS', 'ACLS'];
    return people.map(({ match, status }, at) => {
      const isUnmet = match?.unmet[0]?.startsWith('shows');
      const wanted = { ...order, requires: isUnmet ? requires : ['BLS'] };
      const person = { id: `cand_${at}`, name: `Person ${at}` };
      return { person, order: wanted, match, placement: { id: `plc_${at}`, status } } as Fit;
    });
  });

fits('those without conflicts have none, and never exceed the openings', () => {
  fc.assert(
    fc.property(anyFits, fc.integer({ min: 0, max: 3 }), (rows, taken) => {
      const picked = pickWithoutConflicts(rows, taken);
      assert.ok(picked.length <= Math.max(0, (rows[0]?.order.openingsLeft ?? 0) - taken));
      for (const fit of picked) assert.equal(listConflicts(fit), []);
    }),
  );
});

fits('each is in one group', () => {
  fc.assert(
    fc.property(anyFits, (rows) => {
      assert.is([...groupFits(rows).values()].flat().length, rows.length);
    }),
  );
});

fits('says since when a must-have is expired', () => {
  const none = { score: 0, meets: false, met: [], reasons: [], gaps: [], unknown: [], endsDuring: [] };
  const match = { ...none, unmet: ['"ACLS" expired 2026-11-17'] };
  const order = { id: 'job_1', title: 'Nurse', client: 'Example', requires: ['ACLS'] };
  const evidence = readEvidence({ match, order });
  assert.equal(evidence?.missing, [{ phrase: 'ACLS', why: 'expired 2026-11-17' }]);
});

fits.run();
