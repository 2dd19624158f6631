/** Starts the Node host; builds first where there is no build. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';

const main = join(import.meta.dirname, '..', 'dist', 'host', 'main.mjs');
if (!existsSync(main)) await import('./build.ts');
await import(main);
