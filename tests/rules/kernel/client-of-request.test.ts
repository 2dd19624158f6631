import { readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  describeCaller,
  findCaller,
  findClientAddress,
  isExempt,
  isLoopback,
  parseAddress,
  stdioClient,
} from '../../../src/kernel/caller.ts';

type Fields = Record<string, string>;
const decision = suite('the client of a request');

decision('an address has one form, and an invalid one has none', () => {
  const forms: Record<string, string | undefined> = {
    '203.0.113.9:4711': '203.0.113.9',
    '::FFFF:cb00:7109': '203.0.113.9',
    '[::ffff:203.0.113.9]:80': '203.0.113.9',
    '2001:0db8:0:0::0001': '2001:db8:0:0:0:0:0:1',
    '[2001:DB8::1]:443': '2001:db8:0:0:0:0:0:1',
    'fe80::1%eth0': 'fe80:0:0:0:0:0:0:1',
    '64:ff9b::192.0.2.33': '64:ff9b:0:0:0:0:c000:221',
  };
  for (const [text, expected] of Object.entries(forms)) assert.is(parseAddress(text), expected, text);
  const none = ['', 'unknown', '256.1.1.1', '1.2.3', '::1::', '1:2:3:4:5:6:7', 'g::1', '::127.0.0.1'];
  for (const text of [...none, '203.0.113.9, 1.1.1.1', '1.1.1.1\n', '01.1.1.1', `${'1'.repeat(99)}.1`])
    assert.is(parseAddress(text), undefined, JSON.stringify(text));
});

decision('the caller is the entry that our outermost proxy wrote, whatever the caller claims', () => {
  const peer = '10.0.0.1';
  assert.is(findClientAddress(peer, '198.51.100.1', 0), peer, 'trusts no proxy by default');
  assert.is(findClientAddress(peer, '6.6.6.6, 198.51.100.1', 1), '198.51.100.1');
  assert.is(findClientAddress(peer, '6.6.6.6, 198.51.100.1, 10.0.0.2', 2), '198.51.100.1');
  assert.is(
    findClientAddress(peer, '198.51.100.1', 2),
    '198.51.100.1',
    'a caller that bypasses the outer proxy',
  );
  assert.is(findClientAddress(peer, undefined, 1), peer);
  assert.is(findClientAddress(peer, '6.6.6.6, garbage', 1), peer);
  assert.is(findClientAddress('::ffff:127.0.0.1', undefined, 0), '127.0.0.1');
});

const rules = { proxies: 0, origins: ['https://careers.example'] };
const find = (peer: string, fields: Fields, proxies = 0) =>
  findCaller({ peer, header: (name) => fields[name] }, { ...rules, proxies });

const rows: [what: string, peer: string, fields: Fields, proxies: number, client: string][] = [
  ['a plain call from ::1', '0:0:0:0:0:0:0:1', {}, 0, '0:0:0:0:0:0:0:1'],
  ['a forwarded call from another machine', '192.0.2.1', { 'x-real-ip': '203.0.113.1' }, 0, '192.0.2.1'],
  ['our own page', '127.0.0.1', { origin: 'http://localhost:1', host: 'localhost:1' }, 0, '127.0.0.1'],
  [
    'a page of another port',
    '127.0.0.1',
    { origin: 'http://localhost:2', host: 'localhost:1' },
    0,
    'foreign-page',
  ],
  [
    'a page that was rebound',
    '127.0.0.1',
    { origin: 'http://evil.example', host: 'evil.example' },
    0,
    'foreign-page',
  ],
];
for (const [what, peer, fields, proxies, client] of rows)
  decision(`${what} is ${client}`, () => assert.is(find(peer, fields, proxies).client, client));

decision('the client over stdio is exempt, whatever proxies are named', () => {
  for (const proxies of [0, 1, 2]) assert.ok(isExempt(stdioClient, { proxies }));
  assert.is.not(find('192.0.2.1', { 'x-forwarded-for': stdioClient }, 1).client, stdioClient);
});

/** Requests from loopback, by the words of the reference. */
const requests: Record<string, Fields[]> = {
  'neither of the next two': [{}, { origin: 'https://careers.example' }, { 'sec-fetch-site': 'same-origin' }],
  'has `X-Forwarded-For`, `Forwarded` or `X-Real-IP`': [
    { 'x-forwarded-for': '203.0.113.1' },
    { 'x-forwarded-for': '' },
    { forwarded: 'for=203.0.113.1' },
    { 'x-real-ip': '203.0.113.1', origin: 'https://evil.example' },
  ],
  'comes from a page of another origin': [
    { origin: 'https://evil.example' },
    { 'sec-fetch-site': 'cross-site' },
  ],
  'has `X-Forwarded-For`': [
    { 'x-forwarded-for': '203.0.113.1' },
    { 'x-forwarded-for': '127.0.0.1, 203.0.113.1', origin: 'https://evil.example' },
  ],
  'has no `X-Forwarded-For`': [{}, { 'x-real-ip': '203.0.113.1' }, { origin: 'https://careers.example' }],
};
const reference = readFileSync('content/guides/operating-reference.md', 'utf8');

decision('a request from this machine counts for the client that the reference names', () => {
  const table = [...reference.matchAll(/^\| (0|1 or more) \| (.*) \| (.*) \|$/gm)];
  assert.is(table.length, Object.keys(requests).length);
  for (const [, proxy, words, expected] of table)
    for (const fields of requests[words!]!) {
      const proxies = proxy === '0' ? 0 : 1;
      const { client } = find('127.0.0.1', fields, proxies);
      const said = isExempt(client, { proxies }) ? 'none: it is not limited' : `\`${client}\``;
      const named = expected === 'the address that it names' ? '`203.0.113.1`' : expected;
      assert.is(said, named, `${proxy} ${words} ${JSON.stringify(fields)}`);
    }
});

decision('no other machine is exempt', () => {
  for (const proxies of [0, 1, 2])
    for (const client of ['proxied', 'foreign-page', '192.0.2.1'])
      assert.not.ok(isExempt(client, { proxies }), client);
});

/** Describes a caller from a proxy of ours at 10.0.0.9. */
const describe = (fields: Fields, proxies = 0, peer = '10.0.0.9') =>
  describeCaller({ peer, header: (name) => fields[name] }, { proxies, origins: [] });

decision('a call that is repeated through another of our proxies has the same caller', () => {
  const describeList = (entries: string) => describe({ 'x-forwarded-for': entries }, 2);
  assert.is(describeList('203.0.113.1, 10.0.0.1'), describeList('203.0.113.1, 10.0.0.2'));
  assert.is.not(describeList('203.0.113.1, 10.0.0.1'), describeList('203.0.113.2, 10.0.0.1'));
  assert.is.not(
    describeList('6.6.6.6, 203.0.113.1, 10.0.0.1'),
    describeList('6.6.6.7, 203.0.113.1, 10.0.0.1'),
  );
});

decision('each address before that of the client counts, and none that our proxies added', () => {
  const describeOne = (entries: string) => describe({ 'x-forwarded-for': entries }, 1);
  assert.is.not(describeOne('6.6.6.6, 7.7.7.7, 203.0.113.1'), describeOne('6.6.6.6, 7.7.7.8, 203.0.113.1'));
  assert.is.not(describeOne('6.6.6.6, 203.0.113.1'), describeOne('203.0.113.1'));
});

decision('two calls that differ in anything known of the caller have different callers', () => {
  const calls: Fields[] = [
    {},
    ...['x-forwarded-for', 'forwarded', 'x-real-ip', 'origin'].flatMap((name) =>
      ['203.0.113.1', '203.0.113.2', ''].map((value) => ({ [name]: value })),
    ),
  ];
  for (const proxies of [0, 1, 2]) {
    const described = calls.map((fields) => describe(fields, proxies));
    // With a proxy of ours, an empty list is no list.
    assert.ok(new Set(described).size >= calls.length - 1, `${proxies} proxies`);
    assert.is.not(describe({}, proxies), describe({}, proxies, '10.0.0.8'));
  }
});

decision('all of 127.0.0.0/8 is this machine, and no address that only holds it', () => {
  for (const address of ['127.0.0.1', '127.255.0.9', '0:0:0:0:0:0:0:1'])
    assert.ok(isLoopback(address), address);
  for (const address of ['10.127.0.1', '1.2.3.127', '128.0.0.1', '1:0:0:0:0:0:0:1', ''])
    assert.not(isLoopback(address), address);
});

decision('a call is through a proxy that no setting names if a proxy names its client', () => {
  const isProxied = (fields: Fields, proxies = 0) =>
    ['127.0.0.1', '192.0.2.1'].map((peer) => find(peer, fields, proxies).isProxied);
  for (const name of ['x-forwarded-for', 'forwarded', 'x-real-ip']) {
    assert.equal(isProxied({ [name]: '203.0.113.1' }), [true, true], name);
    assert.equal(isProxied({ [name]: '203.0.113.1' }, 1), [false, false], name);
  }
  assert.equal(isProxied({ via: '1.1 proxy' }), [false, false]);
});

decision.run();
