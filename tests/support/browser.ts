import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Locator,
  type Page,
} from 'playwright-core';
import type { Test } from 'uvu';
import * as assert from 'uvu/assert';
import { startServer, useServer } from './server.ts';

/** The headless shell opens a page in two thirds of the time of Chromium. */
const places = [
  process.env.CHROMIUM,
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/**
 * Without a browser, the test file ends when it imports this one, before any suite runs. If `CI` is `true`,
 * that is a failure.
 */
const found = places.find((place) => place && existsSync(place));
if (!found) {
  console.log('skipped: no browser on this machine');
  process.exit(process.env.CI === 'true' ? 1 : 0);
}
export const executablePath: string = found;

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
  briefs: '/briefs.html',
  confirm: '/confirm.html',
  shortlist: '/shortlist.html',
  workspace: '/workspace.html',
  watch: '/watch.html',
  claim: '/claim.html',
  guides: '/guides.html',
  connecting: '/guides/connecting.html',
  operating: '/guides/operating.html',
  adding: '/guides/adding-things.html',
  lost: '/404.html',
  brief: '/briefs/client-list.html',
  started: '/guides/getting-started.html',
} as const;

/** How people may see a page: both themes, a phone and a desktop. */
export const looks = [
  { colorScheme: 'light', viewport: { width: 360, height: 740 } },
  { colorScheme: 'dark', viewport: { width: 1280, height: 800 } },
] as const;

/** A browser on a running Node host. */
export interface BrowserOnHost {
  origin: string;
  dataDir: string;
  /** What the host has printed so far. */
  output(): string;
  /**
   * Console errors, exceptions and requests to another host. A test that leaves some fails; a test that
   * expects them empties the list.
   */
  faults: string[];
  /** Opens a page in a context of its own, and returns it when its scripts know what answers them. */
  open(path: string, options?: BrowserContextOptions): Promise<Page>;
  /**
   * Returns a function that opens something at its first call, and returns the same at every other. What it opens stays
   * until the suite ends, for tests that only read it.
   */
  share<T>(open: () => Promise<T>): () => Promise<T>;
}

/** The status line of a refusal that a page is meant to show is not an error. */
const isRefusal = (text: string) => /^Failed to load resource.* (40\d|412|503) /.test(text);

async function openPage(
  browser: Browser,
  { origin, faults }: Pick<BrowserOnHost, 'origin' | 'faults'>,
  path: string,
  options: BrowserContextOptions,
) {
  // An element that moves, as in a page that scrolls, may move away from under a click.
  const steady = { viewport: { width: 1280, height: 900 }, reducedMotion: 'reduce' } as const;
  const context = await browser.newContext({ ...steady, ...options });
  // A busy machine is slow.
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
  const response = await page.goto(origin + path);
  if (response?.status() !== 200) faults.push(`${path} answered ${response?.status()}`);
  const isPage = response?.headers()['content-type']?.startsWith('text/html');
  if (isPage && options.javaScriptEnabled !== false) await page.locator('html[data-service]').waitFor();
  return page;
}

/** Starts a browser, with additional options for its command line. */
export function launchBrowser(options: readonly string[] = []): Promise<Browser> {
  return chromium.launch({ executablePath, headless: true, args: [...args, ...options] });
}

let shared: Promise<Browser> | undefined;
/** True if other test files follow in this process, which then share one browser. */
const isShared = process.send !== undefined;

/**
 * Gives the tests of a suite a browser. The test files of a process share it, and share a host unless
 * settings are given; see `useServer` and `startServer`.
 */
export async function startBrowser(suite: Test, env?: Record<string, string>): Promise<BrowserOnHost> {
  shared ??= launchBrowser();
  const browser = await shared;
  const own = env && (await startServer(env));
  const { origin, dataDir, output } = own ?? (await useServer());
  const faults: string[] = [];
  const kept = new Set<BrowserContext>();
  const closeAll = (contexts: readonly BrowserContext[]) =>
    Promise.all(contexts.map((context) => context.close()));
  suite.after.each(async () => {
    const found = faults.splice(0);
    await closeAll(browser.contexts().filter((context) => !kept.has(context)));
    assert.equal(found, []);
  });
  suite.after(async () => {
    if (isShared) await closeAll([...kept]);
    else await browser.close();
    await own?.stop();
  });
  const it = { origin, dataDir, output, faults };
  return {
    ...it,
    open: (path, options = {}) => openPage(browser, it, path, options),
    share<T>(open: () => Promise<T>) {
      let opened: Promise<T> | undefined;
      const openOnce = async () => {
        const before = new Set(browser.contexts());
        const result = await open();
        for (const context of browser.contexts()) if (!before.has(context)) kept.add(context);
        return result;
      };
      return () => (opened ??= openOnce());
    },
  };
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Waits until the target of a link has the focus and is in view. */
export const isReached = (place: Locator) =>
  place.evaluate(async (element) => {
    const isShown = () => {
      const { top, bottom } = element.getBoundingClientRect();
      return element === document.activeElement && top >= 0 && bottom <= innerHeight;
    };
    while (!isShown()) await new Promise(requestAnimationFrame);
  });

/** Asserts that a page is not wider than its window. */
export async function holdToWidth(page: Page): Promise<void> {
  const { width, wide } = await page.evaluate(() => ({
    width: document.documentElement.clientWidth,
    wide: document.documentElement.scrollWidth,
  }));
  assert.is(wide, width);
}

/** Checks a page with axe, its width, and that it has no inline script or style. */
export async function judge(page: Page): Promise<void> {
  await holdToWidth(page);
  const inline = page.locator('script:not([src], [type="application/ld+json"]), style');
  assert.is(await inline.count(), 0);
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() =>
    (globalThis as unknown as { axe: { run(options: object): Promise<AxeResults> } }).axe.run({
      resultTypes: ['violations'],
    }),
  );
  assert.equal(
    violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`),
    [],
  );
}
