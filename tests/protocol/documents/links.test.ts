import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { toTargets } from '../../support/links.ts';
import { words } from '../../support/rows.ts';
import { findPort, startFor } from '../../support/server.ts';
import { openWire, type Seen } from '../../support/visit.ts';

const links = suite('links');
const origin = 'https://careers.example';
/** At most this many addresses of one template are read. The others are only counted. */
const perTemplate = 12;
/** Addresses that answer POST alone. */
const doors = [
  '/mcp',
  '/mcp?tools=core',
  '/batch',
  '/titles',
  '/workspace/claim',
  '/workspace/authorization',
];
/** Addresses that are empty for a caller without a workspace. */
const inWorkspace = [
  '/workspace',
  '/workspace/activity',
  '/workspace/export',
  '/workspace/export.csv',
  '/workspace/export.csv?kind=candidates',
  '/workspace/matches',
  '/workspace/plan',
  '/confirmation',
  '/shortlist',
  '/work',
  '/grade',
  '/workspace/matches?meets=true',
];
/** Addresses without a link to them. Clients look for them at these standard places. */
const wellKnown = words(`
  /robots.txt /.well-known/security.txt /.well-known/mcp.json /.well-known/mcp/server-card.json
`);

const port = await findPort();
await startFor(links, {
  PORT: String(port),
  BASE_URL: origin,
  CONTACT: 'mailto:security@careers.example',
});
const wire = openWire(origin, port);
const found = new Map<string, Seen>();
const linkedFrom = new Map<string, string>();
const templates = new Map<string, number>();

/** Returns the template of an address: without its id and the values of its query. */
function toTemplate(address: string): string {
  const { pathname, searchParams } = new URL(address, origin);
  const path = pathname
    .replace(/\/\d\d-\d{4}\.\d\d/, '/{code}')
    .replace(/\/(cand|job|plc)_\w+/, '/{id}')
    .replace(/\/briefs\/[a-z-]+$/, '/briefs/{id}')
    .replace(/\/api\/[A-Za-z]+\.md$/, '/api/{id}.md')
    .replace(/\/_astro\/.*(\.\w+)$/, '/_astro/*$1');
  return `${path}?${[...searchParams.keys()].sort()}`;
}

async function crawl(start: readonly string[]): Promise<void> {
  const queue = [...start];
  for (let address = queue.shift(); address !== undefined; address = queue.shift()) {
    if (found.has(address) || doors.includes(address)) continue;
    const template = toTemplate(address);
    const count = templates.get(template) ?? 0;
    templates.set(template, count + 1);
    if (count >= perTemplate) continue;
    const seen = await wire.get(address);
    found.set(address, seen);
    if (seen.text === '') continue;
    for (const target of toTargets(seen, origin)) {
      if (!linkedFrom.has(target)) linkedFrom.set(target, address);
      queue.push(target);
    }
  }
}

links.before(async () => {
  await crawl(['/', '/index.html', ...wellKnown]);
});
/** Addresses that documents name to show a refusal, each with its status. */
function toBoundaries(): Map<string, number> {
  const { probes } = found.get('/.well-known/agents.json')!.body;
  const forbidden = probes.knownForbidden.map(({ url }: { url: string }) => [url, 403]);
  const { requirements } = found.get('/verify/suite.json')!.body;
  const rows = requirements.map(({ path, expect }: { path: string; expect: { status: number } }) => [
    path,
    expect.status,
  ]);
  return new Map([
    ...forbidden,
    ...rows,
    ...inWorkspace.map((path): [string, number] => [path, 401]),
    ['/briefs/must-haves/start', 405],
    ['/imports', 405],
    ['/imports?kind=candidates', 405],
    // An example with a placeholder for a day.
    ['/candidates?expiresBefore=DAY', 400],
    // Only a host with OPERATOR_TOKEN has these.
    ['/operator.json', 404],
    ['/operator/blocks', 404],
    ['/operator/blocks/203.0.113.7', 404],
    // An example with a made-up id.
    ['/placements/plc_0000000000000000/receipt', 404],
  ]);
}

links('every link leads to an existing address', () => {
  const boundaries = toBoundaries();
  const missing = [...found].flatMap(([address, { status, body }]) => {
    const isFine = body?.type === 'OFFER' || (status ?? 500) < 300 || boundaries.get(address) === status;
    return isFine ? [] : [`${address} ${status}, linked from ${linkedFrom.get(address)}`];
  });
  assert.equal(missing, []);
});

links('every path template of the contract is linked', () => {
  const reached = [...templates.keys()].map((template) => template.split('?')[0]);
  const contract = found.get('/openapi.json')!.body;
  const unreached = Object.entries(contract.paths as Record<string, object>).flatMap(([path, item]) => {
    // Only a validated outcome has a receipt, and no record of the seed has one.
    if (!('get' in item) || path.endsWith('/receipt')) return [];
    const template = path.replace('/occupations/{id}', '/occupations/{code}');
    return reached.includes(template) ? [] : [path];
  });
  assert.equal(unreached, []);
});

links('every document can be reached from the home page', () => {
  const wanted = [
    ...['/index.json', '/index.md', '/index.html', '/llms.txt', '/.well-known/agents.json', '/onet.json'],
    ...['/pricing.md', '/pricing.html', '/verify.md', '/verify.html', '/occupations.md', '/occupations.html'],
    ...['/.well-known/api-catalog', '/.well-known/agent-skills/index.json', '/mcp/server-card', '/api.html'],
    ...['/verify/suite.json', '/verify/executable.json', '/sitemap.xml', '/guides.html', '/guides.json'],
    ...['/guides.md', '/guides/operating', '/guides/operating.json', '/guides/operating.md'],
  ];
  assert.equal(
    wanted.filter((address) => !linkedFrom.has(address)),
    [],
  );
});

links('the site map lists every public page, and each answers HTML', async () => {
  const listed = [...found.get('/sitemap.xml')!.text.matchAll(/<loc>([^<]+)<\/loc>/g)].map(
    ([, url = '']) => url,
  );
  assert.ok(listed.length > 1016, `${listed.length} pages`);
  assert.ok(listed.every((url) => url.startsWith(`${origin}/`)));
  for (const url of listed.filter((_, index) => index % 50 === 0 || listed.length - index < 5)) {
    const { status, type } = await wire.get(url, { accept: 'text/html' });
    assert.equal(url, url);
    assert.is(status, 200);
    assert.is(type, 'text/html');
  }
  const pages = [...found].filter(
    ([, page]) => page.type === 'text/html' && !/content="noindex"/.test(page.text),
  );
  const left = pages
    .map(([address]) => address.split(/[?#]/)[0]!.replace(/^\/index\.html$/, '/'))
    .filter((address) => !listed.includes(origin + address));
  assert.equal(left, []);
});

links('the first calls for each class of agent are answered', async () => {
  for (const { class: name, firstCall } of found.get('/icp.json')!.body.agent_classes) {
    const isPost = firstCall.method === 'POST';
    const { status, body } = isPost
      ? await wire.post(firstCall.path, firstCall.body)
      : await wire.get(firstCall.path);
    assert.is(status, isPost ? 201 : 200, `${name}: ${firstCall.method} ${firstCall.path}`);
    if (body?.type) assert.is(body.type, 'OK', name);
    if (isPost) assert.is(body.warnings, undefined, name);
  }
});

links.run();
