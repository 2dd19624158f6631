import { readFileSync } from 'node:fs';
import type { Locator, Page } from 'playwright-core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { isReached, startBrowser } from '../support/browser.ts';
import type { Body } from '../support/http.ts';
import { pluck } from '../support/rows.ts';

const consoles = suite('the console');
const browser = await startBrowser(consoles);

/** Waits until the bar shows this text about the workspace. */
const barSays = (page: Page, hasText: RegExp) =>
  page.locator('[data-workspace-text]').filter({ hasText }).waitFor();
const status = (page: Page) => page.locator('[data-answer] .status');

async function choose(page: Page, operationId: string): Promise<void> {
  await page.locator('[data-choose]').selectOption(operationId);
}

/** Sends the form and returns the status chip and the parsed body. */
async function send(page: Page, button = /^Send (GET|POST)$/) {
  await page.getByRole('button', { name: button }).click();
  await page.waitForFunction(() =>
    /ms,/.test(document.querySelector('[data-answer] .status')?.textContent ?? ''),
  );
  const chip = await status(page).locator('.chip').textContent();
  return {
    chip,
    body: JSON.parse((await page.locator('[data-answer] > .copyable > pre').textContent()) ?? ''),
  };
}

consoles('creates a workspace, lists it, continues after a reload, exports it and forgets it', async () => {
  const page = await browser.open('/#console');
  await barSays(page, /^No workspace yet/);

  await choose(page, 'createCandidate');
  await page.locator('[name=name]').fill('Ada Example');
  const created = await send(page);
  assert.is(created.chip, '201 OK');
  await isReached(status(page));
  assert.is(created.body.candidate.name, 'Ada Example');
  await barSays(page, /23 h 59 min left/);

  await page.reload({ waitUntil: 'networkidle' });
  await barSays(page, /h \d+ min left/);
  await page.locator('[name=status]').fill('');
  const listed = await send(page);
  assert.is(listed.body.candidates[0].id, created.body.candidate.id);
  assert.match((await page.locator('.preview pre').first().textContent()) ?? '', /-H 'X-Workspace: ws_/);

  const isUsed = page.locator('[data-workspace-use] input');
  await isUsed.uncheck();
  assert.is((await send(page)).body.candidates[0].example, true);
  await isUsed.check();

  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export' }).click(),
  ]);
  const exported = JSON.parse(readFileSync(await download.path(), 'utf8'));
  assert.equal(pluck(exported.candidates, 'id'), [created.body.candidate.id]);

  await page.getByRole('button', { name: 'Forget' }).click();
  await barSays(page, /^No workspace yet/);
  await page.reload({ waitUntil: 'networkidle' });
  await barSays(page, /^No workspace yet/);
});

consoles('sends the same over MCP, and remembers the workspace that it creates', async () => {
  const page = await browser.open('/#console');
  await choose(page, 'createJobOrder');
  const preview = page.locator('.preview pre').last();
  await preview.filter({ hasText: 'createJobOrder' }).waitFor({ state: 'attached' });
  assert.is(JSON.parse((await preview.textContent()) ?? '').params.name, 'createJobOrder');
  const { chip, body } = await send(page, /over MCP/);
  assert.is(chip, '200 OK');
  assert.match(body.result.structuredContent.workspace, /^ws_/);
  await barSays(page, /left/);
});

/** What the samples are answered. Samples of a change name a record that does not exist. */
function toExpected(id: string): RegExp {
  // Lists and matches show what the workspace holds, which may be nothing.
  if (/^(list|match)(Candidates|JobOrders|Placements|Workspace)$|^planWorkspace$/.test(id))
    return /^200 (OK|EMPTY)$/;
  if (id === 'getOffer') return /^402 OFFER$/;
  if (/^(get|decide)Shortlist$/.test(id)) return /^401 BLOCKED$/;
  // The contract has no room for an example of a file, so that its form has none.
  if (id === 'importRecords') return /^400 BLOCKED$/;
  if (id === 'submitWork') return /^400 BLOCKED$/;
  if (id === 'authorizeSpend') return /^403 BLOCKED$/;
  return /^createShortlist$|^(update|delete)(Candidate|JobOrder|Placement)$/.test(id)
    ? /^404 EMPTY$/
    : /^20[01]( OK)?$/;
}

/** Replaces a sample by the answer of an earlier operation or the day of today. */
function toFilled(id: string, { placement, confirmation, tag, grader }: Body): Record<string, string> {
  // The example proposes, and only an accepted placement has an outcome.
  if (id === 'createPlacement') return { startDate: new Date().toISOString().slice(0, 10), status: '' };
  if (/^(stateOutcome|requestConfirmation|getReceipt)$/.test(id)) return { id: placement.id };
  if (id === 'gradeBrief') return { 'X-Grader': grader };
  if (id === 'answerConfirmation') return { 'X-Confirmation': confirmation.token, tag };
  return id === 'getConfirmation' ? { 'X-Confirmation': confirmation.token } : {};
}

/** Opens or closes an example and what is around it. */
const setOpen = (example: Locator, isOpen: boolean) =>
  example.evaluate((element, open) => {
    for (let one = element.closest('details'); one; one = one.parentElement?.closest('details') ?? null)
      one.open = open;
  }, isOpen);

consoles('every operation of the API page runs there and answers as its contract says', async () => {
  const page = await browser.open('/api.html');
  const examples = await page.locator('[data-try]').all();
  assert.ok(examples.length >= 21);
  let answered: Body = {};
  const named = await Promise.all(
    examples.map(async (example) => ({ example, id: (await example.getAttribute('data-try')) ?? '' })),
  );
  // Once the workspace is erased, nothing else is answered in it.
  const isLast = ({ id }: { id: string }) => Number(id === 'deleteWorkspace');
  for (const { example, id } of named.toSorted((a, b) => isLast(a) - isLast(b))) {
    await setOpen(example, true);
    for (const [name, value] of Object.entries(toFilled(id, answered))) {
      await example.locator(`[name="${name}"]`).fill(value);
    }
    await example.getByRole('button', { name: /^Send [A-Z]+$/ }).click();
    const chip = example.locator('.status .chip');
    await chip.waitFor();
    assert.match((await chip.textContent()) ?? '', toExpected(id), id);
    if (/^(startBrief|createPlacement|requestConfirmation|getConfirmation)$/.test(id)) {
      const text = await example.locator('[data-answer] > .copyable > pre').textContent();
      answered = { ...answered, ...JSON.parse(text ?? '') };
    }
    // A page with every example open is slow.
    await setOpen(example, false);
  }
});

consoles.run();
