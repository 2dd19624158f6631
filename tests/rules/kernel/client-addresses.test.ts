import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { findClientAddress, parseAddress } from '../../../src/kernel/caller.ts';

const address = suite('client addresses');

address('an address has one form, and an invalid one has none', () => {
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

address('the caller is the entry that our outermost proxy wrote, whatever the caller claims', () => {
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

address.run();
