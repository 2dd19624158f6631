import type { Browser, Page } from 'playwright-core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { launchBrowser } from '../../support/browser.ts';
import type { Body } from '../../support/http.ts';
import { startStaticHost, stopProcesses } from '../../support/static-host.ts';
import { openWorkerPage, type WorkerPage } from '../../support/worker-page.ts';

const outcomes = suite('an outcome in a browser alone');
const browser: Browser = await launchBrowser();
const host = await startStaticHost();
const tab: WorkerPage = await openWorkerPage(browser, `${host.origin}/index.html`);
const startDate = new Date().toISOString().slice(0, 10);
const onetCode = '15-1252.00';

outcomes.before(async () => {
  assert.is(await tab.kind(), 'browser');
});
outcomes.after(async () => {
  await browser.close();
  stopProcesses();
});

/** A placement with a stated outcome in a workspace of its own, its people and its order too. */
async function place() {
  const post = async (path: string, body: object, headers: object = {}): Promise<Body> => {
    const reply = await tab.ask('POST', path, { body, headers });
    assert.ok(reply.status === 200 || reply.status === 201, `${path}: ${reply.text}`);
    return reply.body;
  };
  const { candidate, workspace } = await post('/candidates', { name: 'Ann Sample', onetCode });
  const headers = { 'X-Workspace': workspace };
  const order = { client: 'Example & Sons', title: 'Developer', onetCode };
  const { jobOrder } = await post('/job-orders', order, headers);
  const ids = { candidateId: candidate.id, jobOrderId: jobOrder.id };
  const { placement } = await post('/placements', { ...ids, onetCode, startDate }, headers);
  const { self } = placement.links;
  const { outcome } = (await post(`${self}/outcome`, { result: 'converted' }, headers)).placement;
  assert.equal([outcome.result, outcome.asOf, outcome.validated], ['converted', startDate, false]);
  const { confirmation } = await post(`${self}/confirmations`, { party: 'client' }, headers);
  return {
    ...(confirmation as { token: string; url: string }),
    receipt: () => tab.ask('GET', `${self}/receipt`, { headers }),
    read: async () => (await tab.ask('GET', self, { headers })).body.placement.outcome,
  };
}

/** Everything that IndexedDB holds here, as text. */
const readKept = (page: Page) =>
  page.evaluate(async () => {
    const done = <T>(request: IDBRequest<T>) =>
      new Promise<T>((resolve) => {
        request.onsuccess = () => resolve(request.result);
      });
    const database = await done(indexedDB.open('careers-1'));
    const all = database.transaction('workspaces').objectStore('workspaces');
    return JSON.stringify([await done(all.getAllKeys()), await done(all.getAll())]);
  });

outcomes('is stated, confirmed and validated there, and its receipt is not live', async () => {
  const { token, url, receipt, read } = await place();
  assert.is(url, `${host.origin}/confirm.html#${token}`);
  const early = await receipt();
  assert.equal([early.status, early.body.code], [409, 'not_live']);
  assert.match(early.body.reason, /Nothing is signed here/);
  const headers = { 'X-Confirmation': token };
  const shown = await tab.ask('GET', '/confirmation', { headers });
  assert.equal([shown.status, shown.body.answer], [200, null]);
  assert.equal(shown.body.statement, {
    result: 'converted',
    asOf: startDate,
    startDate,
    occupation: { code: onetCode, title: 'Software Developers' },
    title: 'Developer',
    client: 'Example & Sons',
  });
  assert.is((await tab.ask('GET', '/confirmation')).status, 401);
  const said = await tab.ask('POST', '/confirmation', {
    headers,
    body: { agrees: true, tag: shown.body.tag, comment: 'So it is.' },
  });
  assert.equal([said.status, said.body.answer.agrees], [200, true]);
  const { validated, confirmations } = await read();
  assert.is(validated, true);
  assert.equal([confirmations[0].party, confirmations[0].comment], ['client', 'So it is.']);
  const late = await receipt();
  assert.equal([late.status, late.body.code], [409, 'not_live']);
  assert.equal((await tab.ask('GET', '/.well-known/jwks.json')).body, { keys: [] });
  const kept = await readKept(tab.page);
  assert.match(kept, /So it is\./);
  assert.not.ok(kept.includes(token), 'the token is kept as a hash');
  await tab.page.reload();
  assert.is(await tab.kind(), 'browser');
  assert.is((await read()).validated, true, 'it outlives the page');
});

outcomes('is confirmed by a tool there', async () => {
  const { token, read } = await place();
  const call = async (name: string, args: object) => {
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } };
    return (await tab.ask('POST', '/mcp', { body })).body.result.structuredContent;
  };
  const { statement, tag } = await call('getConfirmation', { confirmation: token });
  assert.is(statement.result, 'converted');
  const { answer } = await call('answerConfirmation', { confirmation: token, agrees: false, tag });
  assert.is(answer.agrees, false);
  const { validated, disputed } = await read();
  assert.equal([validated, disputed], [false, true]);
});

outcomes('is confirmed by a person on the page there, and in no other browser', async () => {
  const { url, token, read } = await place();
  const page = await tab.context.newPage();
  await page.goto(url);
  await page.getByText('The client took the person on.').waitFor();
  assert.not.ok(page.url().includes(token));
  await page.getByRole('button', { name: 'Yes, I agree' }).click();
  await page.getByText('Answered on').waitFor();
  assert.is((await read()).validated, true);
  await page.close();
  const stranger = await openWorkerPage(browser, url);
  await stranger.page.getByText('This link is not known here').waitFor();
  await stranger.context.close();
});

outcomes.run();
