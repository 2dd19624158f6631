import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { operations } from '../../../src/table.ts';
import { openClaimed, openUnclaimed, solve } from '../../support/claims.ts';
import { withResponses } from '../../support/contract.ts';
import type { Body } from '../../support/http.ts';
import { makeSigner } from '../../support/receipts.ts';
import { pluck } from '../../support/rows.ts';
import { onetCode, toBody } from '../../support/sandbox.ts';
import { World } from '../../support/world.ts';

const matches = suite('If-Match');
const signer = await makeSigner();
const contract: Body = withResponses((await new World({ signer }).ask('GET', '/openapi.json')).body);

/** Makes a claimed workspace in which every operation succeeds. */
async function prepare() {
  const world = new World({ signer });
  const claimed = await openClaimed(world);
  const send = async (path: string, body: object, headers: object = {}): Promise<Body> => {
    const answer = await claimed.post(path, body, headers);
    assert.ok(answer.status < 300, answer.text);
    return answer.body;
  };
  await send('/batch', {
    candidates: ['a', 'b', 'c'].map((ref) => toBody.candidate({ ref })),
    jobOrders: ['o', 'p', 'q'].map((ref) => toBody.jobOrder({ ref })),
    placements: [
      { ref: 'accepted', candidateId: '#a', jobOrderId: '#o', onetCode, startDate: '2026-11-05' },
      { ref: 'proposed', candidateId: '#b', jobOrderId: '#p', onetCode, status: 'proposed' },
      { ref: 'other', candidateId: '#c', jobOrderId: '#q', onetCode, status: 'proposed' },
    ],
  });
  await send('/placements/%23accepted/outcome', { result: 'retained' });
  const asked = await send('/placements/%23accepted/confirmations', { party: 'client' });
  const confirmation = { 'X-Confirmation': asked.confirmation.token };
  const { tag } = (await world.get('/confirmation', confirmation)).body;
  const issued = await send('/job-orders/%23p/shortlist', {});
  const shortlist = { 'X-Shortlist': issued.shortlist.token };
  const [row] = (await world.get('/shortlist', shortlist)).body.shortlist.placements;
  const challenge = await claimed.challenge();
  const { nonce } = await solve(challenge, world.service.platform.sha256);
  const unclaimed = await openUnclaimed(world);
  return { claimed, unclaimed, confirmation, tag, shortlist, row, work: { challenge, nonce } };
}
type Prepared = Awaited<ReturnType<typeof prepare>>;

interface Sent {
  /** The path after `{id}` is filled in. */
  id?: string;
  body?: object;
  headers?: object;
}

const confirm = ({ confirmation, tag }: Prepared): Sent => ({
  headers: confirmation,
  body: { agrees: true, tag },
});
const decide = ({ shortlist, row }: Prepared): Sent => ({
  headers: shortlist,
  body: { placementId: row.id, decision: 'interview', tag: row.tag },
});

/** What makes each operation that changes something succeed. */
const sent: Record<string, (prepared: Prepared) => Sent> = {
  createCandidate: () => ({ body: toBody.candidate() }),
  updateCandidate: () => ({ id: '%23b', body: { note: 'Called.' } }),
  deleteCandidate: () => ({ id: '%23b' }),
  createJobOrder: () => ({ body: toBody.jobOrder() }),
  updateJobOrder: () => ({ id: '%23q', body: { note: 'Called.' } }),
  deleteJobOrder: () => ({ id: '%23q' }),
  createPlacement: () => ({
    body: { candidateId: '#b', jobOrderId: '#q', onetCode, status: 'proposed' },
  }),
  updatePlacement: () => ({ id: '%23other', body: { note: 'Called.' } }),
  deletePlacement: () => ({ id: '%23other' }),
  codeTitles: () => ({ body: { titles: ['Nurse'] } }),
  createBatch: () => ({ body: { candidates: [toBody.candidate()] } }),
  deleteWorkspace: () => ({}),
  importRecords: () => ({ body: { format: 'csv', kind: 'candidates', text: 'Name,Code\nAda,15-1252.00\n' } }),
  createShortlist: () => ({ id: '%23q', body: {} }),
  decideShortlist: decide,
  startBrief: () => ({ id: 'must-haves', body: {} }),
  stateOutcome: () => ({ id: '%23accepted', body: { result: 'converted' } }),
  requestConfirmation: () => ({ id: '%23accepted', body: { party: 'candidate' } }),
  answerConfirmation: confirm,
  submitWork: ({ work }) => ({ body: work }),
  startClaim: () => ({}),
  authorizeSpend: () => ({ body: { ceiling: 10 } }),
  callMcp: () => ({ body: { jsonrpc: '2.0', id: 1, method: 'ping' } }),
};

/** Some operations are for the owner alone, and a claim for a workspace without an owner. */
function chooseAsk(operationId: string, { claimed, unclaimed }: Prepared) {
  if (operationId === 'startClaim') return unclaimed.ask;
  return /^(deleteWorkspace|authorizeSpend)$/.test(operationId) ? claimed.asOwner : claimed.ask;
}

/** Calls an operation in a world of its own. Returns the status. */
async function call(operationId: string, more: object): Promise<number> {
  const prepared = await prepare();
  const { method, path } = operations.find((row) => row.operationId === operationId)!;
  const { id = '', body, headers } = sent[operationId]!(prepared);
  return (
    await chooseAsk(operationId, prepared)(method, path.replace('{id}', id), body, { ...headers, ...more })
  ).status;
}

const rows: Body[] = Object.values<Body>(contract.paths).flatMap((verbs) =>
  Object.entries<Body>(verbs).map(([verb, row]) => ({ verb, ...row })),
);

for (const { verb, operationId, parameters = [], responses } of rows) {
  const isDeclared = pluck(parameters as { name: string }[], 'name').includes('If-Match');
  if (verb === 'get') {
    matches(`is not declared by ${operationId}, which changes nothing`, () => assert.not(isDeclared));
    continue;
  }
  matches(`is declared by ${operationId} if it reads the header`, async () => {
    assert.ok(operationId in sent, 'add it to the calls above');
    const plain = await call(operationId, {});
    assert.ok(plain < 300, `it answers ${plain} without If-Match`);
    const stale = await call(operationId, { 'If-Match': '"another"' });
    assert.is(stale, isDeclared ? 412 : plain);
    if (isDeclared) assert.ok(responses[412], 'the contract has a 412');
  });
}

matches.run();
