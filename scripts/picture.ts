/**
 * Draws the picture of the desk in README.md, content/pictures/desk.webp: `node scripts/with-node.mjs scripts/picture.ts`.
 * It opens a live desk of the built host in a browser. Build first, and run it after a change of the workspace page.
 * CHROMIUM names the browser.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import { Mistake, readCommand } from './command.ts';

const usage = `node scripts/with-node.mjs scripts/picture.ts

Draws content/pictures/desk.webp, the picture of the desk in README.md, from the last build.`;

readCommand(usage, { options: {} });
const root = join(import.meta.dirname, '..');
const folder = join(root, 'content', 'pictures');
/** In pixels of CSS. */
const viewport = { width: 1400, height: 790 };
/** Pixels of the picture for each pixel of CSS, on each side. */
const scale = 1.25;
/** The quality of WebP, from 0 to 1. Lower ones blur small letters. */
const quality = 0.8;

/** Starts the built host on a free port. Returns its process and its origin. */
async function startHost(dataDir: string): Promise<{ host: ChildProcess; origin: string }> {
  const env = { PATH: process.env.PATH, PORT: '0', LOG: 'off', GRACE_SECONDS: '0', DATA_DIR: dataDir };
  const host = spawn(process.execPath, [join(root, 'dist', 'host', 'main.mjs')], { env });
  let printed = '';
  for (const stream of [host.stdout, host.stderr]) stream.on('data', (chunk) => (printed += chunk));
  const origin = await new Promise<string>((resolve, reject) => {
    host.stdout.on('data', () => {
      const [, port] = /on http\S*:(\d+)/.exec(printed) ?? [];
      if (port) resolve(`http://localhost:${port}`);
    });
    host.once('exit', () => reject(new Mistake(`The host did not start. Build first.\n${printed}`)));
  });
  return { host, origin };
}

/** Encodes a PNG as WebP, in the browser: Node has no encoder. */
async function toWebp(page: Page, png: Buffer): Promise<Buffer> {
  const encoded = await page.evaluate(
    async ([base64, quality]) => {
      const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
      const image = await createImageBitmap(new Blob([bytes]));
      const canvas = new OffscreenCanvas(image.width, image.height);
      canvas.getContext('2d')!.drawImage(image, 0, 0);
      const blob = await canvas.convertToBlob({ type: 'image/webp', quality });
      return [...new Uint8Array(await blob.arrayBuffer())];
    },
    [png.toString('base64'), quality] as const,
  );
  return Buffer.from(encoded);
}

const dataDir = mkdtempSync(join(tmpdir(), 'careers-'));
const { host, origin } = await startHost(dataDir);
const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium-headless-shell';
let browser: Browser | undefined;
try {
  browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  const page = await browser.newPage({
    viewport,
    deviceScaleFactor: scale,
    colorScheme: 'light',
    reducedMotion: 'reduce',
  });
  await page.goto(`${origin}/`, { waitUntil: 'networkidle' });
  await page.getByRole('button', { name: 'Open an example' }).click();
  await page.waitForURL('**/workspace.html#today');
  await page.waitForLoadState('networkidle');
  const picture = await toWebp(page, await page.screenshot());
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'desk.webp'), picture);
  console.log(`content/pictures/desk.webp has ${picture.length} bytes`);
} finally {
  await browser?.close();
  host.kill('SIGTERM');
  rmSync(dataDir, { recursive: true, force: true });
}
