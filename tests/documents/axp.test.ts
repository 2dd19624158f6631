import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { allRows, pinnedRows } from '../support/axp/judge.ts';
import { toDomain } from '../support/axp/suite-rows.ts';
import { browserAccept, type Visit, type VisitOptions, visit } from '../support/axp/visit.ts';
import { openWire, type Wire } from '../support/axp/wire.ts';
import { pluck, words } from '../support/rows.ts';
import { findPort, startServer } from '../support/server.ts';

const publicOrigin = 'https://careers.example';
const pinnedIds = words(`
  llms-present agents-present openapi-valid check-machine-legible-home check-conneg-accept
  check-conneg-client-class check-conneg-alternates check-conneg-forced-face check-offers-402
  check-keyless-flow check-agents-json check-card-interfaces-linked probe-manifest-valid
  check-digital-link-resolver check-published-test-suite check-capability-coverage keyless-first-value
  typed-empty typed-blocked pricing-declared hard-ceiling-positive hard-ceiling-enforced
  hard-ceiling-below hard-ceiling-not-premature
`);

const absent = words(`
  agent-configuration mcp/server.json mcp-registry-auth oauth-protected-resource
  oauth-protected-resource/mcp oauth-authorization-server openid-configuration gs1resolver
  ai-plugin.json agent-card.json x402 no-such-document
`);

const local = startServer();
const published = findPort().then((port) =>
  startServer({ PORT: String(port), BASE_URL: publicOrigin, DECLARE_TEST_SUITE: '1' }),
);
const openLocal = async () => openWire((await local).origin, (await local).port);
const openPublished = async () => openWire(publicOrigin, (await published).port);

interface Setting extends VisitOptions {
  name: string;
  open(): Promise<Wire>;
  /** Rows that this visit cannot hold. */
  without?: string[];
}

/** Adds every row as a test over one visit. */
function judge({ name, open, without = [], ...options }: Setting) {
  const rows = suite(`axp ${name}`);
  let made: Visit;
  rows.before(async () => {
    made = await visit(await open(), options);
  });
  for (const { id, check } of allRows) {
    if (without.includes(id)) continue;
    rows(id, async () => {
      const reason = await check(made);
      assert.is(reason, undefined, `${id}: ${reason}`);
    });
  }
  rows.run();
}

const list = suite('axp rows');
list('24 pinned rows and ten points', () => {
  assert.equal(pluck(pinnedRows, 'id').sort(), [...pinnedIds].sort());
  assert.is(allRows.filter(({ id }) => id.startsWith('AX: ')).length, 10);
});
list.run();

for (let seed = 1; seed <= 3; seed++) judge({ name: `seed ${seed}`, open: openLocal, seed });

judge({
  name: 'every endpoint',
  open: openLocal,
  seed: 99,
  samples: Number.POSITIVE_INFINITY,
  without: ['honesty: request-budget'],
});

judge({ name: 'addressed as a public origin', open: openPublished, seed: 7 });

const elsewhere = suite('axp: nothing depends on where it runs');
elsewhere('no document names localhost', async () => {
  const wire = await openPublished();
  await visit(wire, { seed: 1, samples: Number.POSITIVE_INFINITY });
  for (const path of ['/robots.txt', '/sitemap.xml', '/mcp/server-card', '/.well-known/api-catalog'])
    await wire.get(path);
  for (const { url, text, headers } of wire.seen)
    assert.not.match(text + JSON.stringify(headers), /localhost|127\.0\.0\.1/, url);
});
elsewhere('documents are the same but for the origin', async () => {
  const here = await openLocal();
  const there = await openPublished();
  const read = async (wire: typeof here, path: string) =>
    (await wire.get(path)).text
      .replaceAll(/https?:\/\/(localhost:\d+|careers\.example)/g, 'ORIGIN')
      .replaceAll('](ORIGIN/', '](/');
  for (const path of ['/openapi.json', '/llms.txt', '/icp.json', '/verify', '/pricing', '/index.md'])
    assert.is(await read(there, path), await read(here, path), path);
});
elsewhere('the declared suite covers the whole domain', async () => {
  const made = await visit(await openPublished(), { seed: 1 });
  const [operations, tools] = ['openapi:', 'mcp:'].map((kind) =>
    toDomain(made).filter((identifier) => identifier.startsWith(kind)),
  ) as [string[], string[]];
  assert.ok(operations.length > 10 && tools.length > 5, `${operations.length}, ${tools.length}`);
});
elsewhere.run();

const unknown = suite('axp: unknown well-known addresses');
unknown('are real 404s, whatever is accepted', async () => {
  const wire = await openLocal();
  for (const name of absent) {
    for (const accept of ['*/*', browserAccept, 'application/json']) {
      const { status, type, body } = await wire.get(`/.well-known/${name}`, { accept });
      assert.equal([status, type, body.type], [404, 'application/json', 'EMPTY'], name);
    }
  }
});
unknown.after(async () => {
  await (await local).stop();
  await (await published).stop();
});
unknown.run();
