import { createHash } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openWire, type Seen, type Wire } from '../support/axp/wire.ts';
import { toTargets } from '../support/links.ts';
import { findPort, startServer } from '../support/server.ts';

const links = suite('every link answers');
const origin = 'https://careers.example';
/** Addresses of one template that are read; the others are only counted. */
const perTemplate = 12;
/** What POST alone is answered at. */
const doors = ['/mcp', '/batch', '/titles', '/workspace/claim', '/workspace/authorization'];
/** Nothing is there for a caller without a workspace. */
const inWorkspace = ['/workspace', '/workspace/export', '/confirmation', '/work'];
/** Nothing links to these; clients look for them where their standards put them. */
const wellKnown = [
  '/robots.txt',
  '/.well-known/security.txt',
  '/.well-known/mcp.json',
  '/.well-known/mcp/server-card.json',
];

const running = findPort().then((port) =>
  startServer({ PORT: String(port), BASE_URL: origin, CONTACT: 'mailto:security@careers.example' }),
);
const found = new Map<string, Seen>();
const linkedFrom = new Map<string, string>();
const templates = new Map<string, number>();
let wire: Wire;

/** Addresses that differ in an id, or in the values of a query, are of one template. */
function toTemplate(address: string): string {
  const { pathname, searchParams } = new URL(address, origin);
  const path = pathname
    .replace(/\/\d\d-\d{4}\.\d\d/, '/{code}')
    .replace(/\/(cand|job|plc)_\w+/, '/{id}')
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
  wire = openWire(origin, (await running).port);
  await crawl(['/', '/index.html', ...wellKnown]);
});
links.after(async () => {
  await (await running).stop();
});

const digestOf = (text: string) => `sha256:${createHash('sha256').update(text).digest('hex')}`;

/** Addresses that are named to show a boundary, each with the status that it is named for. */
function toBoundaries(): Map<string, number> {
  const { probes } = found.get('/.well-known/agents.json')!.body;
  const forbidden = probes.knownForbidden.map(({ url }: { url: string }) => [url, 403]);
  const { requirements } = found.get('/verify/suite.json')!.body;
  const rows = requirements.map(({ path, expect }: { path: string; expect: { status: number } }) => [
    path,
    expect.status,
  ]);
  return new Map([...forbidden, ...rows, ...inWorkspace.map((path): [string, number] => [path, 401])]);
}

links('nothing that is linked is missing', () => {
  const boundaries = toBoundaries();
  const missing = [...found].flatMap(([address, { status, body }]) => {
    const isFine = body?.type === 'OFFER' || (status ?? 500) < 300 || boundaries.get(address) === status;
    return isFine ? [] : [`${address} ${status}, linked from ${linkedFrom.get(address)}`];
  });
  assert.equal(missing, []);
});

links('every template of the contract is reached', () => {
  const reached = [...templates.keys()].map((template) => template.split('?')[0]);
  const contract = found.get('/openapi.json')!.body;
  const unreached = Object.entries(contract.paths as Record<string, object>).flatMap(([path, item]) => {
    // A validated outcome alone has a receipt, and no record of the seed.
    if (!('get' in item) || path.endsWith('/receipt')) return [];
    const template = path.replace('/occupations/{id}', '/occupations/{code}');
    return reached.includes(template) ? [] : [path];
  });
  assert.equal(unreached, []);
});

links('every document is reached from the home page', () => {
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

links('the site map lists every page: each answers HTML', async () => {
  const listed = [...found.get('/sitemap.xml')!.text.matchAll(/<loc>([^<]+)<\/loc>/g)].map(
    ([, url = '']) => url,
  );
  assert.ok(listed.length > 1016, `${listed.length} pages`);
  assert.ok(listed.every((url) => url.startsWith(`${origin}/`)));
  for (const url of listed.filter((_, index) => index % 50 === 0 || listed.length - index < 5)) {
    const { status, type } = await wire.get(url, { accept: 'text/html' });
    assert.equal([url, status, type], [url, 200, 'text/html']);
  }
});

links('the site map leaves no page out that may be found', () => {
  const { text } = found.get('/sitemap.xml')!;
  const pages = [...found].filter(
    ([, page]) => page.type === 'text/html' && !/content="noindex"/.test(page.text),
  );
  const left = pages
    .map(([address]) => address.split(/[?#]/)[0]!.replace(/^\/index\.html$/, '/'))
    .filter((address) => !text.includes(`<loc>${origin}${address}</loc>`));
  assert.equal(left, []);
});

links('the skills have the digests that the index gives', async () => {
  const { skills } = found.get('/.well-known/agent-skills/index.json')!.body;
  assert.ok(skills.length > 0);
  for (const { url, digest, name, description } of skills) {
    const { text } = await wire.get(url);
    assert.is(digestOf(text), digest, url);
    assert.match(name, /^[a-z0-9]+(-[a-z0-9]+)*$/);
    const [, head = ''] = /^---\n([\s\S]*?)\n---\n/.exec(text) ?? [];
    const [, told = ''] = /^description: (.*)$/m.exec(head) ?? [];
    assert.match(head, new RegExp(`^name: ${name}$`, 'm'));
    const isQuoted = /^".*"$/.test(told);
    assert.ok(isQuoted || !/: | #/.test(told), `the description is not plain YAML: ${told}`);
    assert.is(isQuoted ? JSON.parse(told) : told, description);
  }
});

links('the suites have the digests that /verify gives', async () => {
  const { suites, standard } = found.get('/verify')!.body;
  assert.is(suites[0].digest, standard.digest);
  assert.is(suites.filter(({ url }: { url?: string }) => url).length, 2);
  for (const { url, digest } of suites) {
    if (!url) continue;
    assert.is(digestOf((await wire.get(url)).text), digest, url);
    for (const page of ['/verify.md', '/verify.html'])
      assert.ok(found.get(page)!.text.includes(digest), page);
  }
});

links('the server cards are the same bytes, and their door answers', async () => {
  const card = found.get('/mcp/server-card')!;
  for (const address of ['/.well-known/mcp.json', '/.well-known/mcp/server-card.json']) {
    assert.is(found.get(address)!.text, card.text);
  }
  for (const { url } of card.body.remotes) {
    const { status } = await wire.post(url, { jsonrpc: '2.0', id: 1, method: 'tools/list' });
    assert.is(status, 200);
  }
});

links('security.txt is canonical and expires within a year', () => {
  const { text, type } = found.get('/.well-known/security.txt')!;
  assert.is(type, 'text/plain');
  assert.match(text, /^Contact: mailto:security@careers\.example$/m);
  assert.match(text, new RegExp(`^Canonical: ${origin}/\\.well-known/security\\.txt$`, 'm'));
  const left = Date.parse(/^Expires: (.*)$/m.exec(text)?.[1] ?? '') - Date.now();
  assert.ok(left > 0 && left < 365 * 86_400_000, text);
});

links('the first calls of the agent classes answer', async () => {
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
