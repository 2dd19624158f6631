import { connect } from 'node:net';
import type { Body } from './http.ts';

/** Sends these bytes as they are and reads until the server ends the connection. */
export function sendRaw(
  port: number,
  bytes: string,
): Promise<{ status: number; head: string; text: string; body: Body }> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, 'localhost', () => socket.write(bytes, 'latin1'));
    let answer = '';
    socket.setTimeout(5000, () => socket.destroy(new Error(`no end of the answer to ${bytes.slice(0, 80)}`)));
    socket.on('data', (chunk) => (answer += chunk));
    socket.on('error', reject);
    socket.on('end', () => {
      const [head = '', text = ''] = answer.split(/\r\n\r\n(.*)/s);
      const isJson = /content-type: application\/json/i.test(head) && text !== '';
      resolve({
        status: Number(head.split(' ')[1]),
        head,
        text,
        body: isJson ? JSON.parse(text) : undefined,
      });
    });
  });
}
