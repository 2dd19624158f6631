import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Front, fillIn, startNginxWith } from './balancers.ts';
import { findPort, makeFolder } from './server.ts';
import { startProcess } from './static-host.ts';
import { deployFolder } from './tools.ts';

const read = (name: string) => readFileSync(join(deployFolder, name), 'utf8');

/** The Varnish of the example, before a host at this port. */
async function startVarnishBefore(host: number): Promise<Front> {
  const [folder, port] = [makeFolder(), await findPort()];
  const origin = `http://127.0.0.1:${port}`;
  const file = join(folder, 'careers.vcl');
  writeFileSync(file, fillIn(read('varnish.vcl'), [['.port = "4321"', `.port = "${host}"`]]));
  // Varnish runs by users of its own where it may; a folder of a test is for one user alone.
  const jail = process.getuid?.() === 0 ? ['-j', 'none'] : [];
  const args = [...jail, '-F', '-n', join(folder, 'varnish'), '-a', `127.0.0.1:${port}`, '-f', file];
  const child = await startProcess('varnishd', [...args, '-s', 'malloc,64m'], folder, `${origin}/healthz`);
  return { origin, stop: () => child.kill('SIGTERM') };
}

/** The nginx of the example as a cache, before a host at this port; `assets` are files of builds, by their paths. */
export const startNginxCacheBefore = (
  host: number,
  assets: Readonly<Record<string, string>> = {},
): Promise<Front> =>
  startNginxWith((port, folder) => {
    for (const [path, text] of Object.entries(assets)) {
      mkdirSync(join(folder, 'assets', path, '..'), { recursive: true });
      writeFileSync(join(folder, 'assets', path), text);
    }
    return fillIn(read('nginx-cache.conf'), [
      ['listen 8080;', `listen 127.0.0.1:${port};`],
      ['server 127.0.0.1:4321;', `server 127.0.0.1:${host};`],
      ['/var/cache/nginx/careers', join(folder, 'cache')],
      ['root /srv/careers/assets;', `root ${join(folder, 'assets')};`],
    ]);
  });

/** Both, by the program that they are. */
export const caches = { varnishd: startVarnishBefore, nginx: startNginxCacheBefore };
