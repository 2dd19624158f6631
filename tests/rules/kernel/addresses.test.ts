import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { isContentNamed, withCacheTag } from '../../../src/kernel/headers.ts';
import { defineOperation, type Operation } from '../../../src/kernel/operation.ts';
import { negotiateHome, parsePreferences } from '../../../src/kernel/representation.ts';
import {
  createFind,
  createRouter,
  decodePath,
  findFilePath,
  listSuffixes,
} from '../../../src/kernel/router.ts';
import { toChance } from '../../support/people.ts';

const addresses = suite('addresses of a small table');

const row = (method: Operation['method'], path: string, more: Partial<Operation> = {}) =>
  ({
    ...defineOperation({
      operationId: `${method} ${path}`,
      method,
      path,
      run: () => ({ status: 200, body: '' }),
    }),
    ...more,
  }) as Operation;
const frozen = { caching: { rule: 'public', frozen: () => [] } } as const;
const rows = [
  row('GET', '/', { ...frozen, markdown: () => '', page: true }),
  row('GET', '/papers/{id}', { ...frozen, markdown: () => '' }),
  row('GET', '/guides/{id}.md', frozen),
  row('GET', '/llms.txt', frozen),
  row('POST', '/things'),
  row('GET', '/things'),
  row('GET', '/things/{id}', { alias: '/old/{id}' }),
  row('POST', '/things/{id}/parts'),
  row('GET', '/things/{id}/list.json'),
];
const route = createRouter(rows);

/** The operation and the id of a path, or undefined. */
const find = (path: string) => {
  const found = route(path);
  return found && [[...found.byMethod.values()].at(-1)!.operationId, found.id, found.representation];
};

const found: Record<string, [operation: string, id: string | undefined, representation: string]> = {
  '/': ['GET /', undefined, 'own'],
  '/index.json': ['GET /', undefined, 'json'],
  '/index.md': ['GET /', undefined, 'md'],
  '/index.html': ['GET /', undefined, 'html'],
  '/llms.txt': ['GET /llms.txt', undefined, 'own'],
  '/papers/a': ['GET /papers/{id}', 'a', 'own'],
  '/papers/a.json': ['GET /papers/{id}', 'a', 'json'],
  '/papers/a.md': ['GET /papers/{id}', 'a', 'md'],
  '/papers/%20a%20.md': ['GET /papers/{id}', 'a', 'md'],
  '/guides/a.md': ['GET /guides/{id}.md', 'a', 'own'],
  '/things': ['GET /things', undefined, 'own'],
  '/things/a': ['GET /things/{id}', 'a', 'own'],
  '/things/%20a%20': ['GET /things/{id}', 'a', 'own'],
  '/things/%23a': ['GET /things/{id}', '#a', 'own'],
  '/things/a%2Fb': ['GET /things/{id}', 'a/b', 'own'],
  '/old/a': ['GET /things/{id}', 'a', 'own'],
  '/things/a/parts': ['POST /things/{id}/parts', 'a', 'own'],
  '/things/%20a%20/parts': ['POST /things/{id}/parts', 'a', 'own'],
  '/things/a/list.json': ['GET /things/{id}/list.json', 'a', 'own'],
  '/thing%73/a': ['GET /things/{id}', 'a', 'own'],
};
addresses('a path finds its operation, its id and its format', () => {
  for (const [path, expected] of Object.entries(found)) assert.equal(find(path), expected, path);
});

addresses('a path of no address finds nothing', () => {
  const none = [
    '/other',
    '/things/',
    '/things/%20',
    '/things/a/b',
    '/things//parts',
    '/a/b/c',
    '/%zz',
    '//',
    '/papers/.md',
  ];
  for (const path of [
    ...none,
    '/papers/a.html',
    '/things/a.md',
    '/guides/a',
    '/things.json',
    '/llms.txt.json',
  ])
    assert.is(find(path), undefined, path);
});

addresses('an operation is found by its method, and HEAD as GET', () => {
  const findOperation = createFind(rows);
  const name = (method: string, path: string) => findOperation(method, path)?.operationId;
  assert.is(name('GET', '/things'), 'GET /things');
  assert.is(name('HEAD', '/things'), 'GET /things');
  assert.is(name('POST', '/things'), 'POST /things');
  assert.is(name('DELETE', '/things'), undefined);
  assert.is(name('GET', '/other'), undefined);
});

addresses('only a frozen read without a suffix of its own has files', () => {
  const suffixes = (operation: Operation) => listSuffixes(operation).join();
  assert.is(suffixes(rows[0]!), 'json,md,html');
  assert.is(suffixes(rows[1]!), 'json,md');
  for (const other of rows.slice(2)) assert.is(suffixes(other), '', other.operationId);
  assert.is(suffixes(row('POST', '/x', frozen)), '');
});

addresses('a path that is encoded segment by segment is decoded again, but for slashes', () => {
  const chance = toChance(161);
  const pieces = ['a', ' ', 'é', '😀', '%', '?', '#', '.'];
  for (let round = 0; round < 500; round += 1) {
    const segments = Array.from({ length: 1 + chance(4) }, () =>
      Array.from({ length: chance(5) }, () => pieces[chance(pieces.length)]).join(''),
    );
    assert.is(decodePath(`/${segments.map(encodeURIComponent).join('/')}`), `/${segments.join('/')}`);
  }
  assert.is(decodePath('/a%2Fb%2fc'), '/a%2Fb%2Fc');
  for (const path of ['/%', '/%zz', '/%C3', '/a%2']) assert.is(decodePath(path), undefined, path);
});

addresses('the file of a path has no white space around its name', () => {
  const files: Record<string, string | undefined> = {
    '/a/b.md': '/a/b.md',
    '/a/%20b%20.md%20': '/a/b.md',
    '/%61/b.json': '/a/b.json',
    '/a/b': '/a/b',
    '/a/%20b': '/a/b',
    '/b.html': '/b.html',
    '/a/b.txt': '/a/b.txt',
    '/%zz': undefined,
  };
  for (const [path, file] of Object.entries(files)) assert.is(findFilePath(path), file, path);
});

const chrome = 'Mozilla/5.0 (X11; Linux x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0';
const chromeAccept = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8';
const asDocument = { 'sec-fetch-dest': 'document' };

/** The format of the home page for each of these headers. */
const negotiated: Record<string, Record<string, string | string[]>[]> = {
  json: [
    ...['', '*/*', 'application/ld+json', 'application/json, text/html;q=0.9', 'text/html;q=0'],
    ...[
      'text/html;q=0.1, application/json;q=0.2',
      'text/*',
      'image/png',
      'text/html;q=x',
      ';;;,,,=q',
      'text',
    ],
  ].map((accept) => ({ accept })),
  html: [
    ...['text/html', 'application/xhtml+xml', chromeAccept, 'text/html, text/markdown'],
    ...['application/json;q=0.8, text/html;q=0.9', 'text/html;q=1, text/markdown;q=2'],
    ...['text/html;charset=utf-8;q=0.7, application/json;q=0.6', `text/html${',a/b'.repeat(1000)}`],
  ].map((accept) => ({ accept })),
  md: [
    ...['TEXT/Markdown', 'text/markdown, text/html', 'text/html;q=0, text/markdown;q=0.001'],
    ...['text/html; q=0.4 , text/markdown ; q=0.6', 'text/html;q=x, text/markdown;q=0.1'],
    'text/html;level=1;q=0.3, text/markdown;q=0.4',
  ].map((accept) => ({ accept })),
};
negotiated.json!.push(
  ...['curl/8.14.1', 'node', '', chrome].map((agent) => ({ 'user-agent': agent })),
  ...[{}, { 'sec-fetch-dest': 'empty' }, { 'user-agent': 'GPTBot/1.2', accept: 'application/json' }],
);
negotiated.html!.push(
  ...[asDocument, { ...asDocument, accept: 'text/html;q=0' }],
  { 'user-agent': 'GPTBot/1.2', accept: 'text/html' },
  { accept: ['text/markdown;q=0.1', 'text/html;q=0.2'] },
);
negotiated.md!.push(
  ...['GPTBot/1.2', 'claude-user', 'Mozilla/5.0 (compatible; ChatGPT-User/1.0)'].map((agent) => ({
    'user-agent': agent,
  })),
  { ...asDocument, accept: 'text/markdown' },
);

addresses('the home page has the format that the caller prefers', () => {
  for (const [format, rows] of Object.entries(negotiated))
    for (const headers of rows) assert.is(negotiateHome(headers), format, JSON.stringify(headers));
});

addresses('a field is read up to the last comma within 1,000 characters', () => {
  const names = (field: string) => parsePreferences(field).map(([name]) => name);
  const fill = (length: number) => 'a'.repeat(length);
  assert.equal(names(`b,${fill(998)}`), ['b', fill(998)]);
  assert.equal(names(`b,${fill(999)}`), ['b']);
  assert.equal(names(`${fill(1000)},b`), [fill(1000)]);
  assert.equal(names(`${fill(1001)},b`), ['']);
});

addresses('a preference has the weight of its q, and 1 without one', () => {
  assert.equal(parsePreferences('gzip;q=0.5, br ;x=1 , A;x=2;q=0'), [
    ['gzip', 0.5],
    ['br', 1],
    ['a', 0],
  ]);
});

addresses('only what a CDN may store has the tag of its build', () => {
  const tag = (cdn?: string) =>
    withCacheTag(cdn === undefined ? {} : { 'CDN-Cache-Control': cdn }, 'b1')['Cache-Tag' as never];
  assert.is(tag('max-age=60'), 'b1');
  for (const cdn of [undefined, 'no-store', 'public, max-age=']) assert.is(tag(cdn), undefined, cdn);
});

addresses('a file with a hash in its name is in a folder of the bundler', () => {
  assert.equal(['/_astro/a.js', '/worker/b.js', '/a/_astro/a.js', '/worker.js', '/'].filter(isContentNamed), [
    '/_astro/a.js',
    '/worker/b.js',
  ]);
});

addresses.run();
