import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Body } from '../../support/http.ts';
import { nurseCode as onetCode } from '../../support/sandbox.ts';
import { World } from '../../support/world.ts';

/** A refusal names 20 places. After that the service checks nothing else in a batch. */
const surplus = suite('a batch with more to refuse than a refusal names');

const { ask } = new World();
const most = 20;
const counts = [1, most - 1, most, most + 1, most + 2, 2 * most];

const strict = { prefer: 'handling=strict' };
const toPeople = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ ref: `c${at}`, name: `Person ${at}`, onetCode }));
const closed = { ref: 'o', client: 'Example Clinic', title: 'Nurse', onetCode, status: 'closed' };
/** Each placement conflicts with its order, which is closed. */
const toConflicts = (count: number): Body[] =>
  toPeople(count).map(({ ref }) => ({
    candidateId: `#${ref}`,
    jobOrderId: '#o',
    onetCode,
    status: 'proposed',
  }));

/** Fails unless a refusal names as many places as it can, and says whether there are more. */
function checkNamed({ issues, reason }: Body, count: number): void {
  assert.is(issues.filter(({ path }: Body) => path !== '').length, Math.min(count, most), reason);
  assert.is(/^At least 21 /.test(reason), count > most, reason);
}

for (const count of counts) {
  surplus(`names what it can of ${count} issues`, async () => {
    const days = { startDate: '2027-02-01', endDate: '2027-01-01' };
    const jobOrders = Array.from({ length: count }, () => ({ ...closed, ref: undefined, ...days }));
    const { status, body } = await ask('POST', '/batch', { jobOrders });
    assert.is(status, 400);
    checkNamed(body, count);
  });

  surplus(`names what it can of ${count} conflicts under strict handling`, async () => {
    const sent = { candidates: toPeople(count), jobOrders: [closed], placements: toConflicts(count) };
    const { status, body } = await ask('POST', '/batch', sent, strict);
    assert.is(status, 409);
    checkNamed(body, count);
  });

  surplus(`looks at what follows ${count} conflicts if a refusal names them all`, async () => {
    const [last] = toConflicts(1);
    const wrong = {
      ...last,
      startDate: '2026-02-01',
      endDate: '2026-01-01',
      endReason: 'other',
      status: undefined,
    };
    const send = async (placements: Body[]) =>
      (await ask('POST', '/batch', { candidates: toPeople(count), jobOrders: [closed], placements }, strict))
        .body;
    const behind = await send([...toConflicts(count), wrong]);
    assert.is(behind.code, count <= most ? 'invalid_request' : 'conflict', behind.reason);
    const before = await send([wrong, ...toConflicts(count)]);
    assert.is(before.code, 'invalid_request', 'an issue counts more than conflicts');
  });
}

surplus.run();
