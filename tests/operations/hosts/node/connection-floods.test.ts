import type { AddressInfo } from 'node:net';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { FrozenPack } from '../../../../src/hosts/node/frozen.ts';
import { noMetrics } from '../../../../src/hosts/node/metrics.ts';
import { createEdge } from '../../../../src/hosts/node/server.ts';
import { readSettings } from '../../../../src/hosts/node/settings.ts';
import { openWire } from '../../../support/wire.ts';

const floods = suite('floods of requests');

const frozen = { home: () => undefined, addresses: new Map(), stale: new Set() } as unknown as FrozenPack;

/** Serves in this process, without a core. */
function startEdge() {
  const edge = createEdge({
    frozen,
    refresh: async () => {},
    serveLive: () => {},
    metrics: noMetrics,
    metricsText: undefined,
    answers: { reportFrozen: () => {}, reportLive: () => {} },
    report: () => {},
    warn: () => {},
    settings: readSettings({ HEADER_TIMEOUT_SECONDS: '1' }),
  });
  edge.server.listen(0);
  const stop = () => {
    edge.server.close();
    edge.server.closeAllConnections();
  };
  const { port } = edge.server.address() as AddressInfo;
  return { server: edge.server, connections: edge.connections, port, stop };
}

floods('a head that is late during a flood is answered 408', async () => {
  const { server, connections, port, stop } = startEdge();
  // The flood stops all reading just before the error is handled.
  server.prependListener('clientError', () => {
    for (let request = 0; request < 4000; request += 1) connections.onPipelined();
  });
  const wire = openWire({ port }, 'GET /pricing HTTP/1.1\r\nHost: a\r\n');
  await wire.closed;
  stop();
  assert.match(wire.text(), /^HTTP\/1\.1 408 /);
});

floods('a connection is destroyed if many requests follow its last answer', async () => {
  const { server, port, stop } = startEdge();
  let isDestroyed = false;
  server.on('request', ({ socket }) => {
    isDestroyed = socket.destroyed;
  });
  // The first has no Host. The answer to it is the last.
  const wire = openWire({ port }, 'GET / HTTP/1.1\r\n\r\n'.repeat(200));
  await wire.closed;
  stop();
  assert.ok(isDestroyed);
});

floods.run();
