/**
 * Draws the preview pictures of the pages, 1200 by 630 pixels, into src/pages/_public/previews: `node scripts/previews.ts`.
 * Run it after a change of their words, of the colours or of the font. CHROMIUM names the browser.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32, deflateSync } from 'node:zlib';
import { chromium, type Page } from 'playwright-core';

const root = join(import.meta.dirname, '..');
const styles = join(root, 'src', 'pages', '_styles');
const folder = join(root, 'src', 'pages', '_public', 'previews');

/** The words of each picture: what the page is, and what it is for. */
const pictures: Record<string, [title: string, text: string]> = {
  home: ['Agents propose. People decide.', 'A staffing desk for software agents, over HTTP and MCP. No key.'],
  api: ['API', 'Every operation, over HTTP and MCP, with a form that sends it.'],
  briefs: ['Graded briefs', 'Staffing tasks for an agent, graded by what it leaves behind.'],
  claim: ['Claim this workspace', 'With a passkey. It is then yours, and kept far longer.'],
  confirm: ['Did it work out?', 'Read what is stated of a placement, then agree or disagree.'],
  guides: ['Guides', 'Connect an agent, match, place, and prove the outcome.'],
  occupations: ['Occupations', 'O*NET codes, titles, skills and pay, as pages and as data.'],
  pricing: ['$0 today', 'How long a workspace is kept, what it holds, and what calls cost.'],
  receipt: ['Does this receipt hold?', 'Check the signed outcome of a placement in your browser.'],
  shortlist: ['Whom would you like to meet?', 'See who is proposed and why, and decide. No account.'],
  verify: ['Verify it yourself', 'Run the published suites against this address.'],
  watch: ['Watch an agent at work', 'It fills two openings by real calls. In between you decide.'],
  workspace: ['Your workspace', 'See what an agent keeps there, correct it, and confirm it.'],
};

const font = readFileSync(join(styles, 'inter.woff2')).toString('base64');
const system = readFileSync(join(styles, 'system.css'), 'utf8')
  .replace('./inter.woff2', `data:font/woff2;base64,${font}`)
  .replace('font-display: optional', 'font-display: block');

const layout = `
  * { box-sizing: border-box; margin: 0; }
  body { width: 1200px; height: 630px; padding: 72px 80px; display: flex; flex-direction: column; background: var(--paper); color: var(--ink); font-family: Inter; }
  header { display: flex; align-items: center; gap: 18px; font-size: 30px; font-weight: 640; }
  h1 { margin-top: auto; font-size: 80px; font-weight: 660; line-height: 1.08; letter-spacing: -0.03em; text-wrap: balance; }
  p { margin-top: 24px; color: var(--soft); font-size: 34px; line-height: 1.35; text-wrap: balance; }
  footer { display: flex; gap: 10px; margin-top: auto; }
  i { flex: 1; height: 10px; border-radius: 5px; background: var(--tone); }
  svg { fill: var(--accent); }
  .slip { fill: var(--on-accent); }`;

const stages = ['proposed', 'interviewing', 'offered', 'scheduled', 'active'];

const draw = ([title, text]: [title: string, text: string]) => `<!doctype html><html lang="en">
<style>${system}${layout}</style>
<header><svg viewBox="0 0 32 32" width="52" height="52"><rect width="32" height="32" rx="7" /><rect class="slip" x="7" y="8" width="11" height="7" rx="2" /><rect class="slip" x="14" y="17" width="11" height="7" rx="2" /></svg>Careers Placement</header>
<h1>${title}</h1><p>${text}</p>
<footer>${stages.map((stage) => `<i class="stage-${stage}"></i>`).join('')}</footer></html>`;

const [width, height] = [1200, 630];

/**
 * Reads the pixels of a picture in a page, with each colour rounded to 16 steps a channel. Returns the colours as
 * 0xRRGGBB, and the number of the colour of each pixel.
 */
async function readPixels(page: Page, picture: string): Promise<{ colours: number[]; pixels: number[] }> {
  return page.evaluate(async (base64) => {
    const image = await createImageBitmap(await (await fetch(`data:image/png;base64,${base64}`)).blob());
    const canvas = new OffscreenCanvas(image.width, image.height).getContext('2d')!;
    canvas.drawImage(image, 0, 0);
    const { data } = canvas.getImageData(0, 0, image.width, image.height);
    const round = (value: number) => Math.min(255, Math.round(value / 17) * 17);
    const numbers = new Map<number, number>();
    const pixels = new Uint8Array(data.length / 4).map((_, at) => {
      const [red = 0, green = 0, blue = 0] = data.subarray(at * 4, at * 4 + 3);
      const colour = (round(red) << 16) | (round(green) << 8) | round(blue);
      if (!numbers.has(colour)) numbers.set(colour, numbers.size);
      return numbers.get(colour)!;
    });
    return { colours: [...numbers.keys()], pixels: [...pixels] };
  }, picture);
}

/** Formats a chunk of a PNG (PNG specification, section 5.3). */
function toChunk(type: string, data: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const content = Buffer.concat([Buffer.from(type), data]);
  const check = Buffer.alloc(4);
  check.writeUInt32BE(crc32(content));
  return Buffer.concat([length, content, check]);
}

/** Encodes pixels as a PNG with a palette, which is a third of what the browser writes. Throws above 256 colours. */
function encode({ colours, pixels }: { colours: number[]; pixels: number[] }): Buffer {
  if (colours.length > 256) throw new Error(`The picture has ${colours.length} colours; 256 fit.`);
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width);
  header.writeUInt32BE(height, 4);
  // Eight bits a pixel, with a palette.
  header.set([8, 3, 0, 0, 0], 8);
  const palette = Buffer.from(colours.flatMap((colour) => [colour >> 16, (colour >> 8) & 255, colour & 255]));
  const bytes = Buffer.from(pixels);
  const lines = Array.from({ length: height }, (_, line) =>
    Buffer.concat([Buffer.from([0]), bytes.subarray(line * width, (line + 1) * width)]),
  );
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    toChunk('IHDR', header),
    toChunk('PLTE', palette),
    toChunk('IDAT', deflateSync(Buffer.concat(lines), { level: 9 })),
    toChunk('IEND', Buffer.alloc(0)),
  ]);
}

const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium-headless-shell';
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
try {
  mkdirSync(folder, { recursive: true });
  const page = await browser.newPage({ viewport: { width, height }, colorScheme: 'light' });
  for (const [name, words] of Object.entries(pictures)) {
    await page.setContent(draw(words));
    await page.evaluate(() => document.fonts.load('640 30px Inter'));
    const shown = await page.screenshot();
    writeFileSync(join(folder, `${name}.png`), encode(await readPixels(page, shown.toString('base64'))));
  }
} finally {
  await browser.close();
}
