import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { makeAuthenticator } from '../../../support/authenticator.ts';
import {
  candidate,
  claim,
  confirm,
  makeCaller,
  makeConfirmable,
  makeKey,
  mint,
  startWithClaims,
  toOwner,
  untilRefused,
} from '../../../support/claiming-host.ts';
import type { Reply } from '../../../support/http.ts';

function holdToShare({ status, body, headers }: Reply, who: RegExp): void {
  assert.is(status, 429, JSON.stringify(body));
  assert.is(body.code, 'storage_share');
  assert.match(body.reason, who);
  assert.match(body.reason, new RegExp(`Wait ${headers.get('retry-after')} s`));
}

const ofAddress = /bytes in a day from this address/;
const ofOwner = /bytes in a day in the workspaces of one owner/;

const share = suite('bytes that an address adds in a day');
const shared = await startWithClaims({ BYTES_PER_CLIENT: '20000' });
share.after(async () => void (await shared.host.stop()));

async function makeClaimed(caller = makeCaller()) {
  const { client, host } = shared;
  const made = await mint(client);
  const authenticator = makeAuthenticator(host.origin);
  const claimed = await claim(client, host, made.id, caller, authenticator);
  assert.is(claimed.status, 200, claimed.text);
  return { ...made, owner: toOwner(claimed, caller), authenticator };
}

share('count in claimed workspaces, whoever owns them', async () => {
  const claimed = [await makeClaimed(), await makeClaimed()];
  const caller = makeCaller();
  let count = 0;
  const add = () => {
    count += 1;
    const { id } = claimed[count % claimed.length]!;
    return shared.client.post('/candidates', candidate, { ...caller, 'X-Workspace': id });
  };
  holdToShare(await untilRefused(add), ofAddress);
});

share('count for the owner of a claimed workspace too, over all addresses', async () => {
  const { id } = await makeClaimed();
  const add = () => shared.client.post('/candidates', candidate, { ...makeCaller(), 'X-Workspace': id });
  holdToShare(await untilRefused(add), ofOwner);
});

share('of an owner count in all workspaces of that owner', async () => {
  const { client } = shared;
  const { id, authenticator, owner } = await makeClaimed();
  const other = await mint(client);
  const started = await client.post('/workspace/claim', undefined, {
    ...makeCaller(),
    'X-Workspace': other.id,
  });
  const token = { 'X-Claim': started.body.claim.url.split('#')[1], ...makeCaller() };
  const { options } = (await client.get('/claim', token)).body;
  const credential = authenticator.show(options.get.challenge);
  assert.is((await client.post('/claim', { credential }, token)).status, 200);
  const add = (workspace: string) =>
    client.post('/candidates', candidate, { ...makeCaller(), 'X-Workspace': workspace });
  holdToShare(await untilRefused(() => add(id)), ofOwner);
  holdToShare(await add(other.id), ofOwner);
  assert.is((await client.delete('/workspace', owner)).status, 200);
});

share('do not stop an owner from signing in or rotating an id', async () => {
  const { client } = shared;
  const { id, authenticator, owner } = await makeClaimed();
  await untilRefused(() => client.post('/candidates', candidate, { ...owner, 'X-Workspace': id }));
  const { challenge } = (await client.get('/owner/challenge', owner)).body.options;
  const signedIn = await client.post('/owner/session', { credential: authenticator.show(challenge) }, owner);
  assert.is(signedIn.status, 200, signedIn.text);
  assert.is((await client.post('/workspace/rotation', undefined, owner)).status, 200);
});

share('count the kept replies of every change with a key', async () => {
  const { client } = shared;
  const { id, owner } = await makeClaimed();
  const authorise = () =>
    client.post('/workspace/authorization', { ceiling: 50 }, { ...owner, ...makeKey() });
  holdToShare(await untilRefused(authorise), ofAddress);
  assert.is((await client.get('/workspace', { ...makeCaller(), 'X-Workspace': id })).status, 200);
});

share('count the links of claims', async () => {
  const { inside } = await mint(shared.client);
  holdToShare(await untilRefused(() => shared.client.post('/workspace/claim', undefined, inside)), ofAddress);
});

share('of an answer to a confirmation count for the address that answers', async () => {
  const { client } = shared;
  const party = makeCaller();
  const { token } = await makeConfirmable(client);
  await untilRefused(() => client.post('/candidates', candidate, party));
  holdToShare(await confirm(client, token, party), ofAddress);
  assert.is((await confirm(client, token, makeCaller())).status, 200);
});

const claims = suite('claims that an address starts in a day');
claims.after(async () => void (await claimed.host.stop()));
const claimed = await startWithClaims({});

claims('are limited to ten, and the eleventh says when to try again', async () => {
  const { client, host } = claimed;
  const caller = makeCaller();
  for (let count = 0; count < 10; count += 1)
    assert.is((await claim(client, host, (await mint(client)).id, caller)).status, 200);
  const { id } = await mint(client);
  const { status, body, headers } = await claim(client, host, id, caller);
  assert.is(status, 429);
  assert.is(body.code, 'rate_limited');
  assert.match(
    body.reason,
    new RegExp(`More than 10 workspaces claimed in a day .* Wait ${headers.get('retry-after')} s`),
  );
  assert.is((await claim(client, host, id, makeCaller())).status, 200, 'another address can claim it');
});

claims('do not count if they fail', async () => {
  const { client, host } = claimed;
  const caller = makeCaller();
  const { id } = await mint(client);
  const stranger = makeAuthenticator('https://evil.example');
  for (let count = 0; count < 12; count += 1)
    assert.is((await claim(client, host, id, caller, stranger)).status, 400);
  assert.is((await claim(client, host, id, caller)).status, 200);
});

share.run();
claims.run();
