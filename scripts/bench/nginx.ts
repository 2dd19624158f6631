import { join } from 'node:path';
import type { Answer } from './wire.ts';

/** Headers that nginx makes from the file itself. */
const itsOwn = ['content-type', 'content-length'];

function toHeaderLines({ headers }: Answer): string[] {
  return headers.flatMap((name, index) =>
    index % 2 === 0 && !itsOwn.includes(name.toLowerCase())
      ? [`add_header ${name} '${headers[index + 1]}';`]
      : [],
  );
}

/**
 * One nginx worker that serves the file `body` in `folder` at `path`, with the headers of `answer`. It keeps the
 * access log that Debian's package keeps, and like there no open_file_cache.
 */
export function toNginxConfig(folder: string, port: number, path: string, answer: Answer): string {
  const type = answer.headers[answer.headers.findIndex((name) => name.toLowerCase() === 'content-type') + 1];
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${join(folder, name)};`,
  );
  return `daemon off;
master_process off;
pid ${join(folder, 'pid')};
events { worker_connections 1024; }
http {
  ${temporary.join('\n  ')}
  access_log ${join(folder, 'access.log')};
  sendfile on;
  tcp_nopush on;
  keepalive_requests 1000000000;
  server_tokens off;
  etag off;
  max_ranges 0;
  types {}
  default_type '${type}';
  server {
    listen 127.0.0.1:${port};
    location = ${path} {
      alias ${join(folder, 'body')};
      add_header Last-Modified '';
      ${toHeaderLines(answer).join('\n      ')}
    }
  }
}
`;
}
