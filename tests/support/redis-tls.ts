import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { makeFolder } from './server.ts';

/** What a server needs to speak nothing but TLS, and the file of the authority that vouches for it. */
export interface Tls {
  authority: string;
  options: string[];
}

const here = 'IP:127.0.0.1,DNS:localhost';

/** Makes an authority, and a certificate of it for these names that holds for so many days, in a folder of their own. */
export function makeTls({ names = here, days = 2 } = {}): Tls {
  const folder = makeFolder();
  const at = (name: string) => join(folder, name);
  const run = (...args: string[]) => execFileSync('openssl', args, { stdio: 'pipe' });
  const ask = (name: string, ...more: string[]) => {
    const fresh = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-subj', `/CN=${name}`];
    run('req', ...fresh, '-keyout', at(`${name}.key`), ...more);
  };
  ask('authority', '-x509', '-days', '2', '-out', at('authority.pem'));
  ask('server', '-new', '-addext', `subjectAltName=${names}`, '-out', at('asked.pem'));
  const signer = ['-CA', at('authority.pem'), '-CAkey', at('authority.key'), '-copy_extensions', 'copy'];
  run('x509', '-req', '-in', at('asked.pem'), ...signer, '-days', String(days), '-out', at('server.pem'));
  const files = ['--tls-cert-file', at('server.pem'), '--tls-key-file', at('server.key')];
  const vouched = ['--tls-ca-cert-file', at('authority.pem'), '--tls-auth-clients', 'no'];
  return {
    authority: at('authority.pem'),
    options: [...files, ...vouched, '--tls-replication', 'yes', '--tls-cluster', 'yes'],
  };
}

/** Has this process trust an authority from here on, as NODE_EXTRA_CA_CERTS has one that starts. */
export function trust({ authority }: Tls): void {
  setDefaultCACertificates([...getCACertificates(), readFileSync(authority, 'utf8')]);
}
