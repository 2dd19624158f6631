import { cpSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { buildService } from '../../../../src/hosts/build/build-service.ts';
import { computeWorkerTables, writeWorker } from '../../../../src/hosts/build/write-worker.ts';
import { hasNginx, startNginx } from '../../../support/balancers.ts';
import { launchBrowser } from '../../../support/browser.ts';
import { makeFolder, startServer } from '../../../support/server.ts';
import { copyClient, startStaticHost, stopProcesses } from '../../../support/static-host.ts';
import { openWorkerPage } from '../../../support/worker-page.ts';

process.chdir(join(import.meta.dirname, '..', '..', '..', '..'));
const browser = await launchBrowser();
const life = suite('the life of a service worker');

life.after(async () => {
  await browser.close();
  stopProcesses();
});

/** Calls `ask` until it returns true, for at most two minutes. */
async function until(ask: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 240; tries += 1) {
    if (await ask().catch(() => false)) return;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  assert.unreachable('it did not come to pass in two minutes');
}

const cachesOf = (page: { evaluate<T>(run: () => T): Promise<T> }) => page.evaluate(() => caches.keys());
const registrations = () =>
  navigator.serviceWorker.getRegistrations().then((all) => all.map(({ active }) => active?.scriptURL));

/** Makes a second build, with another version and therefore another worker. Returns its folder. */
async function makeSecondBuild(): Promise<string> {
  const service = buildService();
  const { catalogue } = service;
  const later = { ...catalogue, service: { ...catalogue.service, version: '9.9.9' } };
  const fresh = makeFolder();
  cpSync(join('dist', 'client', '_astro'), join(fresh, '_astro'), { recursive: true });
  const changed = { ...service, catalogue: later };
  await writeWorker(changed, await computeWorkerTables(changed), fresh);
  return fresh;
}

let secondBuild: Promise<string> | undefined;

/** Replaces the first build in a folder by the second one. */
async function deploySecondBuild(folder: string): Promise<void> {
  secondBuild ??= makeSecondBuild();
  const fresh = await secondBuild;
  rmSync(join(folder, 'worker'), { recursive: true });
  cpSync(fresh, folder, { recursive: true });
}

const versionOf = () =>
  fetch('/mcp', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: { protocolVersion: '2025-06-18' },
    }),
  })
    .then((response) => response.json())
    .then(({ result }) => result.serverInfo.version as string);

life('a second build takes over completely, and the first leaves only its workspaces', async () => {
  const folder = copyClient();
  const host = await startStaticHost(folder);
  const tab = await openWorkerPage(browser, `${host.origin}/pricing.html`);
  assert.is(await tab.kind(), 'browser');
  const body = { name: 'Ann Sample', onetCode: '15-1252.00' };
  const { workspace } = (await tab.ask('POST', '/candidates', { body })).body;
  const [before] = await cachesOf(tab.page);
  const first = await tab.page.evaluate(versionOf);
  await deploySecondBuild(folder);
  await tab.page.reload();
  // The page reloads when the second build takes over, so a call may fail in between.
  await until(async () => (await tab.page.evaluate(versionOf)) === '9.9.9');
  await until(async () => (await cachesOf(tab.page)).length === 1);
  assert.is.not((await cachesOf(tab.page))[0], before);
  assert.is.not(first, '9.9.9');
  const { candidates } = (await tab.ask('GET', '/candidates', { headers: { 'X-Workspace': workspace } }))
    .body;
  assert.is(candidates[0].name, 'Ann Sample');
  await tab.context.close();
  host.stop();
});

life('an incomplete second build leaves the first in charge', async () => {
  const folder = copyClient();
  const host = await startStaticHost(folder);
  const tab = await openWorkerPage(browser, `${host.origin}/pricing.html`);
  assert.is(await tab.kind(), 'browser');
  const before = await cachesOf(tab.page);
  await deploySecondBuild(folder);
  renameSync(join(folder, 'worker'), join(folder, 'gone'));
  await tab.page.reload();
  await tab.page.evaluate(async () => {
    const registration = await navigator.serviceWorker.getRegistration();
    await registration!.update().catch(() => {});
    while (registration!.installing) await new Promise((resolve) => setTimeout(resolve, 20));
  });
  // A failed fetch is removed from the cache a moment later.
  await until(async () => (await cachesOf(tab.page)).length === 1);
  assert.equal(await cachesOf(tab.page), before);
  assert.is((await tab.ask('GET', '/candidates?limit=1')).body.candidates.length, 1);
  await tab.context.close();
  host.stop();
});

life('a worker waits while another page of its build is open', async () => {
  const folder = copyClient();
  const host = await startStaticHost(folder);
  const tab = await openWorkerPage(browser, `${host.origin}/pricing.html`);
  assert.is(await tab.kind(), 'browser');
  const other = await tab.context.newPage();
  await other.goto(`${host.origin}/verify.html`);
  const [before = ''] = await cachesOf(tab.page);
  await deploySecondBuild(folder);
  await tab.page.reload();
  const isWaiting = () => navigator.serviceWorker.getRegistration().then((one) => one?.waiting !== null);
  await until(() => tab.page.evaluate(isWaiting));
  await tab.page.waitForTimeout(300);
  assert.ok((await cachesOf(tab.page)).includes(before), 'what the first build kept is still there');
  await tab.context.close();
  host.stop();
});

life('is not registered on the Node host, and an older one is removed there', async () => {
  const host = await startStaticHost();
  const tab = await openWorkerPage(browser, `${host.origin}/pricing.html`);
  assert.is(await tab.kind(), 'browser');
  host.stop();
  const port = new URL(host.origin).port;
  const live = await startServer({ PORT: port });
  await tab.page.goto(`${live.origin}/pricing.html`);
  await tab.page.waitForFunction(() => document.documentElement.dataset.service === 'live');
  await tab.page.waitForFunction(() => navigator.serviceWorker.controller === null);
  assert.equal(await tab.page.evaluate(registrations), []);
  const fresh = await openWorkerPage(browser, `${live.origin}/index.html`);
  assert.is(await fresh.kind(), 'live');
  assert.equal(await fresh.page.evaluate(registrations), []);
  await live.stop();
});

life('a host where it cannot be registered still shows its pages', async () => {
  const folder = copyClient();
  const host = await startStaticHost(folder);
  rmSync(join(folder, 'worker.js'));
  const tab = await openWorkerPage(browser, `${host.origin}/pricing.html`);
  assert.is(await tab.kind(), 'none');
  assert.match((await tab.page.textContent('main'))!, /usd-per-month|ceiling/i);
  host.stop();
});

if (hasNginx) {
  life('it works on nginx with the rules of the build, and the published suite passes', async () => {
    const server = await startNginx();
    const tab = await openWorkerPage(browser, `${server.origin}/verify.html`);
    assert.is(await tab.kind(), 'browser');
    assert.is((await tab.ask('GET', '/placements?scope=admin')).status, 403);
    assert.is((await tab.ask('GET', '/offer')).status, 402);
    await tab.page.click('#main button');
    await tab.page.waitForSelector('[data-suite][data-went]', { timeout: 60_000 });
    const red = await tab.page.$$eval('[data-went="red"]', (all) => all.map((one) => one.textContent));
    assert.equal(red, []);
    server.stop();
  });
}

life.run();
