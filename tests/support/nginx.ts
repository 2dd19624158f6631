import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findPort, makeFolder } from './server.ts';
import { startProcess } from './static-host.ts';

const deploy = join(import.meta.dirname, '..', '..', 'dist', 'deploy');

export const hasNginx = (() => {
  try {
    execFileSync('nginx', ['-v'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();

/** Real nginx with the configuration of the build, in a folder of its own. */
export async function startNginx(): Promise<{ origin: string; stop(): void }> {
  const folder = makeFolder();
  const port = await findPort();
  const origin = `http://127.0.0.1:${port}`;
  for (const name of ['body', 'proxy', 'fastcgi', 'uwsgi', 'scgi', 'logs']) mkdirSync(join(folder, name));
  const server = readFileSync(join(deploy, 'nginx.conf'), 'utf8')
    .replace('listen 8080;', `listen 127.0.0.1:${port};`)
    .replace('root /srv/careers;', `root ${join(deploy, 'site')};`);
  writeFileSync(join(folder, 'careers.conf'), server);
  writeFileSync(
    join(folder, 'nginx.conf'),
    `worker_processes 1;
daemon off;
${process.getuid?.() === 0 ? 'user root;' : ''}
pid nginx.pid;
error_log stderr warn;
events { worker_connections 256; }
http {
  access_log off;
  client_body_temp_path body;
  proxy_temp_path proxy;
  fastcgi_temp_path fastcgi;
  uwsgi_temp_path uwsgi;
  scgi_temp_path scgi;
  include careers.conf;
}
`,
  );
  const args = ['-p', folder, '-c', join(folder, 'nginx.conf'), '-e', 'stderr'];
  const child = await startProcess('nginx', args, folder, origin);
  return { origin, stop: () => child.kill('SIGTERM') };
}
