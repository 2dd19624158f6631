import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Front, startNginxWith } from './balancers.ts';
import { has } from './tools.ts';

const deploy = join(import.meta.dirname, '..', '..', 'dist', 'deploy');

export const hasNginx = has('nginx');

/** Real nginx with the configuration of the build, in a folder of its own. */
export const startNginx = (): Promise<Front> =>
  startNginxWith(
    (port) =>
      readFileSync(join(deploy, 'nginx.conf'), 'utf8')
        .replace('listen 8080;', `listen 127.0.0.1:${port};`)
        .replace('root /srv/careers;', `root ${join(deploy, 'site')};`),
    '',
  );
