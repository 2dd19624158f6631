/** Fields that a request may have only once. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { server } from '../../../support/front.ts';
import { sendRaw } from '../../../support/wire.ts';

const repeated = suite('repeated fields');

const json = '{"titles":["nurse"]}';
const length = `Content-Length: ${json.length}`;
const host = 'Host: localhost';

/** Requests with a field twice, whether or not the values are equal. */
const requests: Record<string, [target: string, fields: string[], body: string]> = {
  'the same Host': ['GET /pricing', [host, host], ''],
  'another Host': ['GET /occupations?q=nurse', [host, 'host: other.example'], ''],
  'an empty Host': ['GET /pricing', [host, 'HOST:'], ''],
  'a Host beside an absolute target': ['GET http://localhost/pricing', [host, host], ''],
  'the same Content-Length': ['POST /titles', [host, length, length], json],
  'another Content-Length': ['POST /titles', [host, length, 'content-length: 2'], json],
  'a Content-Length of two values': ['POST /titles', [host, `${length}, ${json.length}`], json],
  'a Content-Length beside a coding': ['POST /titles', [host, length, 'Transfer-Encoding: chunked'], json],
  'a Content-Length of a read': ['GET /pricing', [host, 'Content-Length: 0', 'Content-Length: 0'], ''],
};

for (const [title, [target, fields, body]] of Object.entries(requests))
  for (const version of ['1.0', '1.1'])
    repeated(`refuses ${title} over HTTP/${version}, and ends the connection`, async () => {
      const head = [`${target} HTTP/${version}`, ...fields, 'Connection: keep-alive'].join('\r\n');
      const reply = await sendRaw(server.port, `${head}\r\n\r\n${body}`);
      assert.is(reply.status, 400, reply.head);
      assert.is(reply.body.code, 'invalid_http');
    });

repeated.run();
