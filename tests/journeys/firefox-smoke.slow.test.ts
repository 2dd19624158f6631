import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { templates } from '../support/browser.ts';
import { startFirefox } from '../support/firefox.ts';
import { useServer } from '../support/server.ts';

const smoke = suite('Firefox');
let firefox: Awaited<ReturnType<typeof startFirefox>>;
let origin: string;

smoke.before(async () => {
  ({ origin } = await useServer());
  firefox = await startFirefox();
});
smoke.after(() => firefox.stop());

/** Waits until a control with this name is in the dialog, or in the page if none is open, and clicks it. */
const press = (name: string) =>
  firefox.run(async (wanted) => {
    const find = () => {
      const place = document.querySelector('dialog') ?? document.querySelector('main')!;
      return [...place.querySelectorAll<HTMLElement>('a, button')].find(
        (one) => one.textContent!.trim().startsWith(wanted) && one.checkVisibility(),
      );
    };
    const late = performance.now() + 60_000;
    while (!find() && performance.now() < late) await new Promise(requestAnimationFrame);
    const found = find();
    if (!found) throw new Error(`no ${wanted} in: ${document.querySelector('main')!.innerText}`);
    found.click();
  }, name);
const shows = (words: string) =>
  firefox.run(async (wanted) => {
    const late = performance.now() + 60_000;
    const isShown = () => document.body.innerText.includes(wanted);
    while (!isShown() && performance.now() < late) await new Promise(requestAnimationFrame);
    if (!isShown()) throw new Error(`no ${wanted} in: ${document.querySelector('main')!.innerText}`);
  }, words);
const choose = (value: string) =>
  firefox.run((text) => {
    const [selector, chosen] = JSON.parse(text) as [string, string];
    const control = document.querySelector<HTMLSelectElement>(selector)!;
    control.value = chosen;
    control.dispatchEvent(new Event('change', { bubbles: true }));
  }, value);

smoke('shows every page as wide as the window, with one heading and no error', async () => {
  for (const [name, path] of Object.entries(templates)) {
    await firefox.open(origin + path);
    const [wide, width, headings] = await firefox.run(() => [
      document.documentElement.scrollWidth,
      document.documentElement.clientWidth,
      document.querySelectorAll('h1').length,
    ]);
    assert.equal(wide, width, name);
    assert.is(headings, 1, name);
  }
  assert.equal(firefox.faults, []);
});

smoke('fills a sample workspace, proposes from an order, and states an outcome', async () => {
  await firefox.open(`${origin}/workspace.html`);
  await press('Open an example');
  await press('Job orders');
  await press('Electrician, Substations');
  await press('Propose');
  await shows(': proposed.');
  await press('Today');
  await press('Show all');
  await press('State outcome');
  await shows('How did it go');
  await choose('["#field-result", "retained"]');
  await press('State it');
  await shows('Now ask the other side to confirm it.');
  assert.equal(firefox.faults, []);
});

smoke.run();
