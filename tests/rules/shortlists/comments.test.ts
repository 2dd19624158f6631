import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Body, Reply } from '../../support/http.ts';
import { yearLong } from '../../support/outcomes.ts';
import { nurseCode as onetCode, toBody } from '../../support/sandbox.ts';
import { propose } from '../../support/shortlists.ts';
import { World } from '../../support/world.ts';

const comments = suite('comments on a shortlist');

/** Proposes people for an order, and makes links for reviewers. */
async function share(count: number, reviewers: readonly (string | undefined)[]) {
  const world = new World(yearLong);
  world.toDay(0);
  const refs = Array.from({ length: count }, (_, index) => `c${index}`);
  const made = await world.post('/batch', {
    candidates: refs.map((ref) => toBody.candidate({ ref, name: `Person ${ref}`, onetCode })),
    jobOrders: [toBody.jobOrder({ ref: 'o', onetCode, openings: count })],
    placements: refs.map((ref) => ({
      ...{ candidateId: `#${ref}`, jobOrderId: '#o', onetCode, status: 'proposed' },
    })),
  });
  const mine = { 'x-workspace': made.body.workspace };
  const ids = made.body.placements.map(({ id }: Body) => id) as string[];
  const links = [];
  for (const reviewer of reviewers) {
    const { body } = await world.post('/job-orders/%23o/shortlist', { reviewer }, mine);
    links.push({ 'x-shortlist': body.shortlist.token as string });
  }
  const say = (link: object, placementId: string, comment: string, more: object = {}): Promise<Reply> =>
    world.post('/shortlist', { placementId, decision: 'comment', comment, ...more }, link);
  return { ...world, mine, ids, links, say };
}

/** Checks that a call was refused, and at which members. */
function held({ status, body, text }: Reply, wanted: number, code: string, paths?: readonly string[]): void {
  assert.is(status, wanted, text);
  assert.is(body.code, code);
  if (paths)
    assert.equal(
      body.issues.map(({ path }: Body) => path),
      paths,
    );
}

const listComments = ({ body }: Reply): Body[] => body.placement.comments;

comments('names the reviewer, for the other reviewers and on the placement', async () => {
  const { ask, mine, ids, links, say } = await share(1, ['Dana', undefined]);
  assert.is((await say(links[0]!, ids[0]!, 'Strong on nights.')).status, 200);
  const { status, body } = await say(links[1]!, ids[0]!, 'Agreed.');
  assert.is(status, 200);
  const told = body.placement.comments.map(({ at: _, ...rest }: Body) => rest);
  assert.equal(told, [{ comment: 'Strong on nights.', reviewer: 'Dana' }, { comment: 'Agreed.' }]);
  const read = (await ask('GET', `/placements/${ids[0]}`, undefined, mine)).body.placement;
  assert.equal(read.comments, body.placement.comments);
  const seen = (await ask('GET', '/shortlist', undefined, links[0])).body.shortlist;
  assert.equal(seen.placements[0].comments, read.comments);
  const exported = (await ask('GET', '/workspace/export', undefined, mine)).body;
  assert.equal(exported.placements[0].comments, read.comments);
  assert.is((await ask('POST', '/batch', exported)).status, 201, 'an import leaves them out');
});

comments('is in the history without its text, with the reviewer as actor', async () => {
  const { ask, mine, ids, links, say } = await share(1, ['Dana']);
  await say(links[0]!, ids[0]!, 'Strong on nights.');
  const { text, body } = await ask('GET', '/workspace/activity?limit=1', undefined, mine);
  const [{ actor, via, changes, operation }] = body.activity;
  assert.equal([actor, via, operation], ['Dana', 'shortlist', 'decideShortlist']);
  assert.equal(changes, [{ id: ids[0], member: 'comments' }]);
  assert.not.match(text, 'Strong');
  const history = await ask('GET', `/workspace/activity?record=${ids[0]}`, undefined, mine);
  assert.is(history.body.activity[0].sentence, 'Comments changed (Dana)');
});

comments('moves nothing, and every decision on the row still counts', async () => {
  const { id, row, send, decide, read, ask } = await propose();
  const before = await row();
  await send({ decision: 'comment', comment: 'One.' });
  assert.is((await row()).tag, before.tag);
  assert.is((await send({ decision: 'interview', tag: before.tag })).status, 200);
  const decided = await row();
  await send({ decision: 'comment', comment: 'Two.', tag: 'of another day' });
  assert.is((await row()).undoableUntil, decided.undoableUntil);
  assert.is((await decide('undo')).status, 200, 'a comment is nothing that follows');
  const { status, revision, comments: said } = await read();
  assert.equal([status, revision, said.length], ['proposed', 3, 2]);
  await ask('PATCH', `/placements/${id}`, { status: 'interviewing' });
  assert.is((await read()).comments.length, 2);
});

comments('goes with its candidate and its order', async () => {
  const { id, send, read, ask } = await propose();
  await send({ decision: 'comment', comment: 'Hello.' });
  await ask('PATCH', `/placements/${id}`, { hoursPerWeek: 20 });
  assert.is((await read()).comments.length, 1);
  await ask('PATCH', `/placements/${id}`, { candidateId: 'cand_036' });
  assert.not('comments' in (await read()));
});

comments('once more is once', async () => {
  const { send, read } = await propose();
  for (const comment of ['Hello.', 'Hello.', 'Bye.', 'Hello.'])
    assert.is((await send({ decision: 'comment', comment })).status, 200);
  const texts = (await read()).comments.map(({ comment }: Body) => comment);
  assert.equal(texts, ['Hello.', 'Bye.', 'Hello.']);
});

comments('are at most 20 on a person, and 50 of a link', async () => {
  const { ids, links, say } = await share(4, ['Dana', 'Bo']);
  const [dana, bo] = links;
  for (let count = 0; count < 20; count += 1)
    assert.is((await say(count < 10 ? dana! : bo!, ids[0]!, `No ${count}`)).status, 200);
  held(await say(dana!, ids[0]!, 'One more'), 409, 'too_many_comments');
  const others = ids.slice(1).flatMap((id) => Array.from({ length: 20 }, (_, count) => [id, count] as const));
  for (const [id, count] of others.slice(0, 40)) assert.is((await say(dana!, id, `No ${count}`)).status, 200);
  held(await say(dana!, ids[3]!, 'No 51 of the link'), 409, 'too_many_comments');
  assert.is(listComments(await say(bo!, ids[3]!, 'Another link')).length, 1);
});

comments('is refused where it cannot be one, and names the member', async () => {
  const { id, send, ask, row } = await propose();
  const { tag } = await row();
  for (const [sent, path] of [
    [{ decision: 'comment' }, 'comment'],
    [{ decision: 'comment', comment: ' ' }, 'comment'],
    [{ decision: 'comment', comment: 'x'.repeat(501) }, 'comment'],
    [{ decision: 'comment', comment: 'x', reason: 'y' }, 'reason'],
    [{ decision: 'decline', comment: 'x', tag }, 'comment'],
    [{ decision: 'decline' }, 'tag'],
  ] as const)
    held(await send(sent), 400, 'invalid_request', [path]);
  assert.is((await send({ decision: 'comment', comment: 'x', placementId: 'plc_none' })).status, 404);
  const { jobOrderId } = (await ask('GET', `/placements/${id}`)).body.placement;
  await ask('PATCH', `/job-orders/${jobOrderId}`, { status: 'closed' });
  held(await send({ decision: 'comment', comment: 'Late.' }), 409, 'order_closed');
});

comments('a copy of the workspace has none, and says so', async () => {
  const { get, post, mine, ids, links, say } = await share(2, [undefined]);
  assert.is((await say(links[0]!, ids[0]!, 'Call her first.')).status, 200);
  const page = (await get('/workspace/export', mine)).body;
  const copied = await post('/batch', page);
  assert.is(copied.status, 201, copied.text);
  const warned = copied.body.warnings.map(({ code, path }: Body) => `${code} ${path}`);
  const at = page.placements.findIndex(({ id }: Body) => id === ids[0]);
  assert.equal(warned, [`not_taken placements[${at}].comments`]);
  assert.is((await post('/batch', page, { Prefer: 'handling=strict' })).status, 400);
});

comments.run();
