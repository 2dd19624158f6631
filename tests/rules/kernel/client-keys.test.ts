import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { findTurn, listClientKeys, UseByClient } from '../../../src/kernel/client-keys.ts';
import { toChance } from '../../support/people.ts';

const keys = suite('keys of clients');

keys('a client that is no IPv6 address is its own key', () => {
  for (const client of ['203.0.113.9', 'proxied', 'stdio', ''])
    assert.equal(listClientKeys(client), [{ key: client, shares: 1 }]);
});

keys('two IPv6 addresses share a key if they share a /64 or a /56', () => {
  const chance = toChance(51);
  const make = () => ({ third: chance(2), fourth: chance(2) * 0x100 + chance(3), host: chance(9) });
  const write = ({ third, fourth, host }: ReturnType<typeof make>) =>
    `2001:db8:${third}:${fourth.toString(16)}:0:0:${host}:1`;
  for (let at = 0; at < 500; at += 1) {
    const [one, other] = [make(), make()];
    const [own, wide] = listClientKeys(write(one));
    const [ownOfOther, wideOfOther] = listClientKeys(write(other));
    const isSameWide = one.third === other.third && one.fourth >> 8 === other.fourth >> 8;
    const isSameNetwork = isSameWide && one.fourth === other.fourth;
    const name = `${write(one)} and ${write(other)}`;
    assert.is(own!.key === ownOfOther!.key, isSameNetwork, name);
    assert.is(wide!.key === wideOfOther!.key, isSameWide, name);
  }
});

keys('a /64 has one share, and a /56 has four', () => {
  assert.equal(listClientKeys('2001:db8:1:ab05:0:0:0:1'), [
    { key: '2001:db8:1:ab05::/64', shares: 1 },
    { key: '2001:db8:1:ab00::/56', shares: 4 },
  ]);
});

keys('the 256 networks of a /56 have four turns, each as many', () => {
  const networks = Array.from({ length: 256 }, (_, subnet) => (0xab00 + subnet).toString(16));
  const turns = Map.groupBy(networks, (network) => findTurn(`2001:db8:1:${network}:0:0:0:1`));
  assert.equal(
    [...turns.values()].map(({ length }) => length),
    [64, 64, 64, 64],
  );
});

keys('the addresses of one /64 have one turn', () => {
  assert.is(findTurn('2001:db8:1:2:0:0:0:1'), findTurn('2001:db8:1:2:9:9:9:9'));
});

keys('networks of two /56 have different turns, and any other client has its own', () => {
  assert.is.not(findTurn('2001:db8:1:100:0:0:0:1'), findTurn('2001:db8:1:200:0:0:0:1'));
  assert.is(findTurn('203.0.113.9'), '203.0.113.9');
});

keys('a client has room as far as its network and all networks of its /56 leave it', () => {
  const chance = toChance(52);
  const [most, clients] = [
    10,
    ['203.0.113.9', ...[0, 1, 2, 3, 4, 5].map((at) => `2001:db8:1:${at}:0:0:0:1`)],
  ];
  const use = new UseByClient();
  const used = new Map(clients.map((client) => [client, 0]));
  const sum = () => [...used.values()].reduce((a, b) => a + b, 0);
  const refusedBy = { own: 0, wide: 0 };
  for (let step = 0; step < 3000; step += 1) {
    const client = clients[chance(clients.length)]!;
    const more = 1 + chance(most);
    const own = used.get(client)!;
    const wide = client.includes(':') ? sum() - used.get(clients[0]!)! : 0;
    const hasRoom = own + more <= most && wide + more <= 4 * most;
    assert.is(use.hasRoom(client, more, most), hasRoom, `step ${step}`);
    if (!hasRoom) refusedBy[own + more > most ? 'own' : 'wide'] += 1;
    const change = hasRoom && chance(5) > 0 ? more : -chance(own + 1);
    use.add(client, change);
    used.set(client, own + change);
    assert.is(use.all, sum());
  }
  assert.ok(refusedBy.own > 20, `${refusedBy.own} without room of their own`);
  assert.ok(refusedBy.wide > 20, `${refusedBy.wide} without room in the /56`);
});

keys.run();
