import type { BrowserContextOptions, Page } from 'playwright-core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import run from '../../content/agent-run.json' with { type: 'json' };
import { launchBrowser, startBrowser } from '../support/browser.ts';
import { withServer } from '../support/server.ts';
import { startStaticHost } from '../support/static-host.ts';
import { answersOf, beginRun, press, step } from '../support/watch-page.ts';
import { textOf } from '../support/workspace-page.ts';

const watching = suite('an agent that is watched');
const browser = await startBrowser(watching);
const own = await launchBrowser();
const host = await startStaticHost();
const origins = { 'the Node host': browser.origin, 'a static host': host.origin };

watching.after(async () => {
  await own.close();
  host.stop();
});

/** Opens the page of the run. Steps are made by a button, as for a person who wants little motion. */
async function open(origin: string, options: BrowserContextOptions = {}, hash = ''): Promise<Page> {
  const steady = { viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce' } as const;
  const context = await own.newContext({ ...steady, ...options });
  context.setDefaultTimeout(90_000);
  const page = await context.newPage();
  await page.goto(`${origin}/watch.html${hash}`);
  return page;
}

watching('fills the desk beside it by steps, and goes on from an interview', async () => {
  const page = await open(browser.origin);
  await beginRun(page);
  await step(page, 3);
  await page.getByRole('link', { name: 'Candidates 6' }).waitFor();
  const [search, file] = await Promise.all(
    ['.strip .searching', '.strip .file-button'].map((part) => page.locator(part).boundingBox()),
  );
  assert.ok(search!.x + search!.width <= file!.x, 'the import is beside the search');
  await step(page, run.steps.length);
  await page.getByRole('heading', { name: /^Your turn/ }).waitFor();
  assert.match(await page.evaluate(() => document.activeElement!.textContent!), /^Your turn/);
  await press(page, 'Interview');
  await page.getByText('You want Hannah Lindqvist to go on.').waitFor();
  await step(page, run.steps.length + run.branches[0]!.steps.length);
  await page.getByRole('heading', { name: 'Now connect yours' }).waitFor();
  assert.is(await page.locator('.log .other').count(), 0, 'every answer is as recorded');
  await page.locator('.feed li', { hasText: 'The client asked to interview Hannah' }).waitFor();
});

for (const [name, origin] of Object.entries(origins))
  watching(
    `plays by itself on ${name}, goes on from what the client decides in another tab, and leaves the desk`,
    async () => {
      const page = await open(origin, { reducedMotion: 'no-preference' }, '#play');
      const speed = page.getByRole('button', { name: /^Speed/ });
      await speed.click();
      await speed.click();
      await page.getByRole('heading', { name: /^Your turn/ }).waitFor();
      const link = await page.getByRole('link', { name: 'open the link of the client' }).getAttribute('href');
      const client = await page.context().newPage();
      await client.goto(link!);
      const card = client.locator('.fit-row', { hasText: 'Hannah Lindqvist' });
      await card.getByRole('button', { name: /^Decline/ }).click();
      await card
        .getByRole('button', { name: /^Decline/ })
        .last()
        .click();
      await page.getByText('You declined Hannah Lindqvist.').waitFor();
      await page.getByRole('heading', { name: 'Now connect yours' }).waitFor();
      assert.is(await page.locator('.log .other').count(), 0, 'every answer is as recorded');
      const workspace = await textOf(page.locator('.strip h1'));
      await page.getByRole('link', { name: 'Keep this workspace and go on' }).click();
      await page.waitForURL('**/workspace.html#today');
      await page.locator('.feed li', { hasText: 'The client declined Hannah' }).waitFor();
      assert.is(await textOf(page.locator('.strip h1')), workspace);
    },
  );

watching('pauses, and plays on', async () => {
  const page = await open(browser.origin, { reducedMotion: 'no-preference' });
  await beginRun(page);
  await answersOf(page).first().waitFor();
  await press(page, 'Pause');
  await page.getByRole('button', { name: 'Next step' }).and(page.locator(':enabled')).waitFor();
  await press(page, 'Play');
  await page.getByRole('button', { name: 'Pause' }).waitFor();
});

watching('stops without a network, says so, and goes on', async () => {
  const page = await open(browser.origin);
  await beginRun(page);
  await step(page, 2);
  await page.context().setOffline(true);
  await press(page, 'Next step');
  await page.getByText('This device is offline. Nothing is lost').waitFor();
  await page.context().setOffline(false);
  await answersOf(page).nth(2).waitFor();
  await page.getByRole('link', { name: 'Candidates 6' }).waitFor();
});

watching('offers the workspace that the browser remembers before it takes its place', async () => {
  const page = await open(browser.origin);
  await beginRun(page);
  await step(page, 2);
  await page.goto(`${browser.origin}/watch.html`);
  await press(page, 'Watch it here');
  await page.getByText('This browser remembers a workspace').waitFor();
  await press(page, 'Watch in a new one');
  await page.getByRole('heading', { name: run.title }).waitFor();
});

watching('says in the words of the service that a workspace is full', async () => {
  await withServer({ RECORD_CEILING: '7' }, async ({ origin }) => {
    const page = await open(origin);
    await beginRun(page);
    await step(page, 7);
    await press(page, 'Next step');
    await page.getByText('The service refused this call').waitFor();
    await press(page, 'Leave this step out');
    await page.getByText('→ left out').waitFor();
  });
});

watching('begins again if its workspace is deleted', async () => {
  const page = await open(browser.origin);
  await beginRun(page);
  await step(page, 1);
  await page.getByRole('link', { name: 'Settings' }).click();
  await press(page, 'Delete the workspace');
  await press(page, 'Delete everything');
  await page.getByText('The workspace of this run was closed').waitFor();
  await press(page, 'Begin again');
  await page.locator('.strip h1').waitFor();
});

watching('is a text without JavaScript', async () => {
  const page = await open(browser.origin, { javaScriptEnabled: false });
  assert.is(await page.locator('.agent-run > li').count(), run.steps.length + 8);
  assert.is(await page.getByRole('button', { name: 'Watch it here' }).isVisible(), false);
});

watching.run();
