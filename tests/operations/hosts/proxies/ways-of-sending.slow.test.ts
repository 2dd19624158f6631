import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { hasNginx, startNginxBefore } from '../../../support/balancers.ts';
import { type Http2Form, sendOverHttp2 } from '../../../support/http2-calls.ts';
import { fetchStatus, listRepeatableCalls } from '../../../support/sampled-calls.ts';
import { findPort, startServer } from '../../../support/server.ts';
import { checkWay, FetchedStatuses, waysOfSending } from '../../../support/ways-of-sending.ts';

if (!hasNginx) {
  console.log('skipped: no nginx on this machine');
  process.exit(process.env.CI === 'true' ? 1 : 0);
}
const ways = suite('every operation in every way of sending, through nginx');
const host = await startServer({ RATE_LIMIT: 'off', LOG: 'off', TRUST_PROXY: '1' });
const http2Port = await findPort();
const nginx = await startNginxBefore(
  [host.port, host.port],
  [[';\n  add_header Strict', `;\n  listen 127.0.0.1:${http2Port} http2;\n  add_header Strict`]],
);
const http1 = { port: Number(new URL(nginx.origin).port), statuses: new FetchedStatuses(nginx.origin) };

ways.after(async () => {
  nginx.stop();
  await host.kill();
});

const calls = listRepeatableCalls(host.origin);

for (const [name, way] of Object.entries(waysOfSending))
  ways(`answers a call ${name} as nginx answers the same call by fetch`, async () => {
    for (const { close } of await checkWay(way, calls, http1)) close();
  });

const forms: Http2Form[] = ['with its length', 'without length', 'in frames of one byte', 'without a body'];

for (const form of forms)
  ways(`answers a call over HTTP/2 ${form} as it answers the same call by fetch`, async () => {
    const make = async () => {
      const made = await Promise.all(calls.map((call) => call.make()));
      return form === 'without a body' ? made.map((call) => ({ ...call, body: undefined })) : made;
    };
    const same = await make();
    const statuses = await sendOverHttp2(`http://127.0.0.1:${http2Port}`, await make(), form);
    for (const [index, { what }] of calls.entries())
      assert.is(statuses[index], await fetchStatus(nginx.origin, same[index]!), what);
  });

ways.run();
