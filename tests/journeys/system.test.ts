import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { pageHeaders } from '../../src/kernel/headers.ts';

const system = suite('the visual system');
const root = join(import.meta.dirname, '..', '..');
const client = join(root, 'dist', 'client');
const styles = join(root, 'src', 'pages', '_styles');
const fonts = readdirSync(join(client, '_astro')).filter((name) => name.endsWith('.woff2'));

system('ships one font of at most 40 kB', () => {
  assert.is(fonts.length, 1);
  const font = readFileSync(join(client, '_astro', fonts[0]!));
  assert.is(font.toString('latin1', 0, 4), 'wOF2');
  assert.ok(font.length <= 40_000, `${font.length} bytes`);
});

system('every page loads the font early', () => {
  const names = readdirSync(client, { recursive: true, encoding: 'utf8' });
  for (const name of names.filter((name) => name.endsWith('.html')))
    assert.match(
      readFileSync(join(client, name), 'utf8'),
      `<link rel="preload" href="/_astro/${fonts[0]}" as="font" type="font/woff2" crossorigin>`,
      name,
    );
});

system('pages may load fonts from their own address', () => {
  assert.match(pageHeaders['Content-Security-Policy'], "font-src 'self'");
});

system('the notice has the licence of the font', () => {
  const notice = readFileSync(join(root, 'NOTICE'), 'utf8');
  assert.match(notice, 'src/pages/_styles/inter.woff2');
  assert.match(notice, 'The Inter Project Authors');
  assert.match(notice, 'SIL OPEN FONT LICENSE Version 1.1');
});

system('all colours of the pages are in one file', () => {
  for (const name of readdirSync(styles).filter((name) => name.endsWith('.css') && name !== 'system.css')) {
    const [colour] = /#[\da-f]{3,8}\b(?=[^{]*;)|\b(?:rgb|hsl|oklch)\(/i.exec(
      readFileSync(join(styles, name), 'utf8'),
    ) ?? [''];
    assert.is(colour, '', name);
  }
});

system.run();
