import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { attacks, soak } from '../../../../scripts/soak/hostile.ts';
import { type Front, startNginxBefore } from '../../../support/balancers.ts';
import { until } from '../../../support/redis.ts';
import { findPort, startFor } from '../../../support/server.ts';
import { skipsWithout } from '../../../support/tools.ts';
import { openWire, send } from '../../../support/wire.ts';

const floods = suite('floods below HTTP');
// With a small heap, garbage is collected on a busy machine too, and the peak is what the host keeps.
const heap = '--max-old-space-size=256';
const env = { LOG: 'off', RATE_LIMIT: 'off', TRUST_PROXY: '1', NODE_OPTIONS: heap };
/** Megabytes. */
const mostMemory = 512;

const rows: { name: string; isBystanderAnswered?: true }[] = [
  { name: 'blank lines' },
  { name: 'one byte at a time' },
  { name: 'requests of a few bytes, a packet full', isBystanderAnswered: true },
  { name: 'invalid requests, a packet full', isBystanderAnswered: true },
  { name: 'chunks of one byte' },
];

const host = await startFor(floods, env);

/** Starts the nginx of the example before the host, and stops it after the tests. */
async function startFront(): Promise<Front> {
  const front = await startNginxBefore([host.port, await findPort()]);
  floods.after(() => front.stop());
  return front;
}

const fronts: Record<string, Pick<Front, 'origin'>> = {
  'the host': host,
  ...(!skipsWithout('nginx') && { 'the host behind nginx': await startFront() }),
};

/** Runs a flood once. Returns the answers to a bystander meanwhile, and the peak memory of the host until then. */
async function flood(name: string, front: Pick<Front, 'origin'>) {
  const { answers, slowestMs, recoveredMs, peakMb } = await soak(host, attacks[name]!, 0, front);
  const slowest = `slowest ${slowestMs.toFixed(0)} ms, answered ${recoveredMs.toFixed(0)} ms after it`;
  console.log(`figure: ${name}: ${answers} answers to a bystander, ${slowest}, ${peakMb?.toFixed(0)} MB`);
  return { answers, peakMb };
}

/** A flood is short, and on a busy machine no answer may fall into it. Over all of them one must. */
const mostFloods = 10;

for (const [what, front] of Object.entries(fronts))
  for (const { name, isBystanderAnswered } of rows) {
    let first: ReturnType<typeof flood> | undefined;
    const useFirst = () => (first ??= flood(name, front));

    floods(`${what} survives ${name}, and answers afterwards`, async () => {
      const { peakMb } = await useFirst();
      assert.ok(peakMb === undefined || peakMb < mostMemory, `${peakMb} MB`);
    });

    if (isBystanderAnswered)
      floods(`${what} answers a bystander during ${name}`, async () => {
        let { answers } = await useFirst();
        for (let count = 1; count < mostFloods && answers === 0; count += 1)
          ({ answers } = await flood(name, front));
        assert.ok(answers > 0, `no bystander was answered during ${mostFloods} floods`);
      });
  }

/** Heads and bodies that arrive one byte after the other, without end. */
const drips = {
  'blank lines': '\r\n',
  'bytes of a head': 'GET /pricing HTTP/1.1\r\nHost: a\r\nX-Slow: xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx',
};

if (!skipsWithout('nginx')) {
  for (const [what, bytes] of Object.entries(drips))
    floods(`nginx ends a connection that sends only ${what}`, async () => {
      const soon = [['client_header_timeout 10s;', 'client_header_timeout 1s;']] as const;
      const front = await startNginxBefore([host.port, await findPort()], soon);
      const wire = openWire({ port: Number(new URL(front.origin).port) });
      let at = 0;
      const drip = setInterval(() => {
        if (wire.socket.writable) wire.socket.write(bytes[at % bytes.length]!);
        at += 1;
      }, 100);
      await wire.closed;
      clearInterval(drip);
      front.stop();
    });

  floods('nginx refuses connections of one address beyond 256', async () => {
    const few = [['limit_conn careers_clients 256;', 'limit_conn careers_clients 2;']] as const;
    const front = await startNginxBefore([host.port, await findPort()], few);
    const port = Number(new URL(front.origin).port);
    const wait = 'POST /candidates HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n{';
    const held = [openWire({ port }, wait), openWire({ port }, wait)];
    let refusal = '';
    const isRefused = async () => {
      const { status, bytes } = await send(front.origin, '/pricing', { agent: false });
      refusal = bytes.toString();
      return status === 429;
    };
    await until(isRefused, 'a third is refused');
    assert.is(JSON.parse(refusal).code, 'connection_share');
    for (const { socket } of held) socket.destroy();
    front.stop();
  });
}

floods.run();
