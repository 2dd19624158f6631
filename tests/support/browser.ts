import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import { type Browser, type BrowserContextOptions, chromium, type Locator, type Page } from 'playwright-core';
import type { Test } from 'uvu';
import * as assert from 'uvu/assert';
import { startServer, useServer } from './server.ts';

/** The shell is Chromium without its windows: a page opens in two thirds of the time. */
const places = [
  process.env.CHROMIUM,
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/**
 * Where there is none, the test file ends as soon as it imports this one, before any suite runs: well, or
 * with a failure where `CI` is `true`.
 */
const executablePath = places.find((place) => place && existsSync(place));
if (!executablePath) {
  console.log('skipped: no browser on this machine');
  process.exit(process.env.CI === 'true' ? 1 : 0);
}

const args = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** One page of each template. */
export const templates = {
  home: '/',
  occupations: '/occupations.html',
  occupation: '/occupations/11-1011.00.html',
  unrated: '/occupations/13-1199.00.html',
  pricing: '/pricing.html',
  api: '/api.html',
  verify: '/verify.html',
  receipt: '/receipt.html',
  confirm: '/confirm.html',
  shortlist: '/shortlist.html',
  workspace: '/workspace.html',
  claim: '/claim.html',
  guides: '/guides.html',
  connecting: '/guides/connecting.html',
  operating: '/guides/operating.html',
  adding: '/guides/adding-things.html',
  lost: '/404.html',
} as const;

/** How people may see a page: both themes, a phone and a desk. */
export const looks = [
  { colorScheme: 'light', viewport: { width: 360, height: 740 } },
  { colorScheme: 'dark', viewport: { width: 1280, height: 800 } },
] as const;

/** A browser on a running Node host. */
export interface BrowserOnHost {
  origin: string;
  dataDir: string;
  /** What the host printed so far. */
  output(): string;
  /**
   * What the pages of a test did that they should not: errors in the console or thrown, and requests to another host.
   * A test that ends with some fails; one that means them empties the list.
   */
  faults: string[];
  open(path: string, options?: BrowserContextOptions): Promise<Page>;
}

/** The status line of a refusal that a page means to show is no fault. */
const isRefusal = (text: string) => /^Failed to load resource.* (40\d|412|503) /.test(text);

async function openPage(
  browser: Browser,
  { origin, faults }: Pick<BrowserOnHost, 'origin' | 'faults'>,
  path: string,
  options: BrowserContextOptions,
) {
  // What moves by itself, as a page that scrolls does, may move away from under a click.
  const steady = { viewport: { width: 1280, height: 900 }, reducedMotion: 'reduce' } as const;
  const context = await browser.newContext({ ...steady, ...options });
  // A busy machine takes long.
  context.setDefaultTimeout(90_000);
  const page = await context.newPage();
  page.on('console', (message) => {
    if (message.type() === 'error' && !isRefusal(message.text())) faults.push(message.text());
  });
  page.on('pageerror', (error) => faults.push(String(error)));
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (/^https?:$/.test(url.protocol) && url.origin !== origin) faults.push(`asked ${url.href}`);
  });
  const response = await page.goto(origin + path, { waitUntil: 'networkidle' });
  if (response?.status() !== 200) faults.push(`${path} answered ${response?.status()}`);
  return page;
}

/** A browser, with options of the command line beside the usual ones. */
export function launchBrowser(options: readonly string[] = []): Promise<Browser> {
  return chromium.launch({ executablePath, headless: true, args: [...args, ...options] });
}

let shared: Promise<Browser> | undefined;
/** True where other test files follow in this process, which then share one browser. */
const isShared = process.send !== undefined;

/**
 * A browser for the tests of a suite, on the host that the test files of this process share, or on one of its own
 * where there are settings; see `useServer` and `startServer`. The test files of a process share the browser.
 */
export async function startBrowser(suite: Test, env?: Record<string, string>): Promise<BrowserOnHost> {
  shared ??= launchBrowser();
  const browser = await shared;
  const own = env && (await startServer(env));
  const { origin, dataDir, output } = own ?? (await useServer());
  const faults: string[] = [];
  suite.after.each(async () => {
    const found = faults.splice(0);
    await Promise.all(browser.contexts().map((context) => context.close()));
    assert.equal(found, []);
  });
  suite.after(async () => {
    if (!isShared) await browser.close();
    await own?.stop();
  });
  const it = { origin, dataDir, output, faults };
  return { ...it, open: (path, options = {}) => openPage(browser, it, path, options) };
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Waits until what was led to has the focus and is in view. */
export const isReached = (place: Locator) =>
  place.evaluate(async (element) => {
    const isShown = () => {
      const { top, bottom } = element.getBoundingClientRect();
      return element === document.activeElement && top >= 0 && bottom <= innerHeight;
    };
    while (!isShown()) await new Promise(requestAnimationFrame);
  });

/** Holds a page to axe, or to some of its rules, to its width, and to having no script or style in it. */
export async function judge(page: Page, rules: string[] = []): Promise<void> {
  const { width, wide, inline } = await page.evaluate(() => ({
    width: document.documentElement.clientWidth,
    wide: document.documentElement.scrollWidth,
    inline: document.querySelectorAll('script:not([src], [type="application/ld+json"]), style').length,
  }));
  assert.equal([wide, inline], [width, 0]);
  await page.evaluate(axe);
  const { violations } = await page.evaluate(
    (runOnly) =>
      (globalThis as unknown as { axe: { run(options: object): Promise<AxeResults> } }).axe.run(
        runOnly.length > 0 ? { runOnly } : {},
      ),
    rules,
  );
  assert.equal(
    violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`),
    [],
  );
}
