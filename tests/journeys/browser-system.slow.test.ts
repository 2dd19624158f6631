import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startBrowser } from '../support/browser.ts';

const system = suite('the visual system in a browser');
const browser = await startBrowser(system);

system('titles of inner pages are 32 pixels high, in the shipped font', async () => {
  const page = await browser.open('/verify.html', { viewport: { width: 1440, height: 900 } });
  const { size, family, isLoaded } = await page.evaluate(async () => {
    const { fontSize, fontFamily } = getComputedStyle(document.querySelector('h1')!);
    await document.fonts.ready;
    return {
      size: fontSize,
      family: fontFamily,
      isLoaded: [...document.fonts].some((f) => f.status === 'loaded'),
    };
  });
  assert.is(size, '32px');
  assert.match(family, /^Inter,/);
  assert.ok(isLoaded);
});

system('figures have one width', async () => {
  const page = await browser.open('/404.html');
  const [ones, zeros] = await page.evaluate(() =>
    ['1111111111', '0000000000'].map((figures) => {
      const span = document.createElement('span');
      span.textContent = figures;
      document.querySelector('main')!.append(span);
      return span.getBoundingClientRect().width;
    }),
  );
  assert.is(ones, zeros);
});

for (const colorScheme of ['light', 'dark'] as const) {
  system(`each stage of a placement has its own hue, ${colorScheme}`, async () => {
    const page = await browser.open('/404.html', { colorScheme });
    const colours = await page.evaluate(() =>
      ['proposed', 'interviewing', 'offered', 'scheduled', 'active'].map((stage) => {
        const chip = document.createElement('span');
        chip.className = `chip stage-${stage}`;
        document.querySelector('main')!.append(chip);
        return getComputedStyle(chip).color;
      }),
    );
    assert.is(new Set(colours).size, 5, colours.join(' '));
  });

  system(`DELETE is red, ${colorScheme}`, async () => {
    const page = await browser.open('/api.html', { colorScheme });
    const [red = 0, green = 0, blue = 0] = await page.evaluate(() => {
      const { color } = getComputedStyle(document.querySelector('.method-delete')!);
      return color.match(/[\d.]+/g)!.map(Number);
    });
    assert.ok(red > 1.5 * green || red - green > 80, `${red} ${green} ${blue}`);
  });
}

for (const [reducedMotion, least, most] of [
  ['no-preference', 0.12, 0.16],
  ['reduce', 0, 0],
] as const)
  system(`a button changes in ${least} to ${most} seconds for ${reducedMotion}`, async () => {
    const page = await browser.open('/', { reducedMotion });
    const duration = await page.evaluate(() =>
      Number.parseFloat(getComputedStyle(document.querySelector('.button')!).transitionDuration),
    );
    assert.ok(duration >= least && duration <= most, String(duration));
  });

system('paper has no navigation', async () => {
  const page = await browser.open('/pricing.html');
  await page.emulateMedia({ media: 'print' });
  assert.is(await page.locator('nav').first().isVisible(), false);
});

system.run();
