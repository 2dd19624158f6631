import { once } from 'node:events';
import { connect } from 'node:http2';
import type { SentCall } from './ways-of-sending.ts';

/** How a body is sent over HTTP/2, where its end is a flag of a frame. */
export type Http2Form = 'with its length' | 'without length' | 'in frames of one byte' | 'without a body';

/** Sends calls over one HTTP/2 connection in clear text, and returns the status of each. */
export async function sendOverHttp2(
  origin: string,
  calls: readonly SentCall[],
  form: Http2Form,
): Promise<number[]> {
  const session = connect(origin);
  const statuses = await Promise.all(
    calls.map(async ({ method, target, headers, body }) => {
      const length = form === 'with its length' && body && { 'content-length': String(body.length) };
      const fields = { ':method': method, ':path': target, ...headers, ...length };
      const stream = session.request(fields, { endStream: body === undefined });
      if (body !== undefined) {
        for (const part of form === 'in frames of one byte' ? body : [body]) stream.write(part);
        stream.end();
      }
      const [response] = await once(stream, 'response');
      stream.resume();
      return Number(response[':status']);
    }),
  );
  session.close();
  return statuses;
}
