import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  candidate,
  claim,
  confirm,
  makeCaller,
  makeConfirmable,
  makeKey,
  mint,
  onetCode,
  startWithClaims,
  toOwner,
  untilRefused,
} from '../../../support/claiming-host.ts';
import type { Body, Reply } from '../../../support/http.ts';

const large = { ...candidate, skills: Array.from({ length: 50 }, (_, n) => `${n} ${'x'.repeat(75)}`) };
const batch = { candidates: Array.from({ length: 200 }, () => large) };

const full = suite('a full workspace');
const small = await startWithClaims({ RECORD_CEILING: '10', CLAIMED_RECORD_CEILING: '10' });
full.after(async () => void (await small.host.stop()));

const holdToOffer = ({ status, body, text }: Reply) => {
  assert.is(status, 402, text);
  assert.is(body.id, 'offer-record-ceiling', text);
};

full('keeps no reply of a proof of work, a claim or an authorisation', async () => {
  const { client, host } = small;
  const made = await mint(client);
  const caller = makeCaller();
  const owner = toOwner(await claim(client, host, made.id, caller), caller);
  const authorise = () =>
    client.post('/workspace/authorization', { ceiling: 50 }, { ...owner, ...makeKey() });
  holdToOffer(await untilRefused(authorise));
  assert.is(
    (await client.post('/workspace/authorization', { ceiling: 50 }, owner)).status,
    200,
    'without a key',
  );
});

full('starts no claim under a key', async () => {
  const { inside } = await mint(small.client);
  const start = () => small.client.post('/workspace/claim', undefined, { ...inside, ...makeKey() });
  holdToOffer(await untilRefused(start));
});

full('accepts deletes and decisions of a client, and keeps their replies', async () => {
  const { client } = small;
  const { token, inside, jobOrder, post } = await makeConfirmable(client);
  const proposal = { candidateId: 'cand_036', jobOrderId: jobOrder.id, onetCode, status: 'proposed' };
  const { id: placementId } = (await post('/placements', proposal)).placement;
  const link = (await post(`${jobOrder.links.self}/shortlist`, {})).shortlist;
  holdToOffer(
    await untilRefused(() => client.post('/workspace/claim', undefined, { ...inside, ...makeKey() })),
  );
  const people = { ...makeCaller(), 'X-Shortlist': link.token };
  let count = 0;
  const say = () => {
    count += 1;
    const comment = `${count} ${'x'.repeat(450)}`;
    return client.post('/shortlist', { placementId, decision: 'comment', comment }, people);
  };
  holdToOffer(await untilRefused(say));
  assert.is((await confirm(client, token, makeCaller())).status, 200);
  const { candidates } = (await client.get('/candidates?scope=workspace', inside)).body as {
    candidates: Body[];
  };
  const deleted = await client.delete(`/candidates/${candidates[0].id}`, { ...inside, ...makeKey() });
  assert.is(deleted.status, 200, deleted.text);
});

const store = suite('a full store');
const packed = await startWithClaims({ STORE_BYTES: '16777216', STORE_FREE: '0' });
store.after(async () => void (await packed.host.stop()));

const holdToFull = ({ status, body, text }: Reply) => {
  assert.is(status, 503, text);
  assert.is(body.code, 'store_full', text);
};

store('accepts nothing more, except decisions and deletes with their kept replies', async () => {
  const { client, host } = packed;
  const { token, self, inside, jobOrder, post } = await makeConfirmable(client);
  const other = (await post('/candidates', candidate)).candidate;
  const proposed = (
    await post('/placements', {
      candidateId: other.id,
      jobOrderId: jobOrder.id,
      onetCode,
      status: 'proposed',
    })
  ).placement;
  const link = (await post(`${jobOrder.links.self}/shortlist`, {})).shortlist;
  const claimable = await mint(client);
  const caller = makeCaller();
  const owner = toOwner(await claim(client, host, claimable.id, caller), caller);
  const fresh = await mint(client);
  await untilRefused(() => client.post('/batch', batch, makeCaller()));

  const send = (method: string, path: string, body?: object, headers = inside) =>
    client.ask(method, path, body, headers);
  holdToFull(await send('POST', '/candidates', candidate));
  holdToFull(await send('PATCH', other.links.self, { skills: large.skills }));
  holdToFull(await send('PATCH', other.links.self, { name: 'Ann Other' }, { ...inside, ...makeKey() }));
  holdToFull(await send('POST', '/workspace/authorization', { ceiling: 50 }, { ...owner, ...makeKey() }));
  holdToFull(await send('POST', '/workspace/claim', undefined, { ...inside, ...makeKey() }));
  holdToFull(await claim(client, host, fresh.id, makeCaller()));
  assert.is((await send('POST', '/workspace/authorization', { ceiling: 60 }, owner)).status, 200);
  assert.is((await send('PATCH', other.links.self, { name: 'Ann Other' })).status, 200);

  assert.is((await confirm(client, token, makeCaller())).status, 200);
  const people = { ...makeCaller(), 'X-Shortlist': link.token };
  const [row] = (await client.get('/shortlist', people)).body.shortlist.placements;
  const comment = { placementId: proposed.id, decision: 'comment', comment: 'Hello.' };
  holdToFull(await client.post('/shortlist', comment, people));
  const decision = { placementId: proposed.id, decision: 'interview', tag: row.tag };
  const decided = await client.post('/shortlist', decision, { ...people, ...makeKey() });
  assert.is(decided.status, 200, decided.text);
  assert.is((await send('DELETE', self, undefined, { ...inside, ...makeKey() })).status, 200);
});

full.run();
store.run();
