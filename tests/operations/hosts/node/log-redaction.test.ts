import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { describeTable } from '../../../../src/hosts/node/describe-table.ts';
import { operations } from '../../../../src/table.ts';
import { connect } from '../../../support/http.ts';
import { linesOf } from '../../../support/log-lines.ts';
import { openFor } from '../../../support/open-host.ts';
import { send, sendRaw } from '../../../support/wire.ts';

const logs = suite('secrets in logs');
const live = await openFor(logs, {});
const client = await connect(live.origin);
const { redactor } = describeTable(operations);
const candidate = { name: 'Nobody Else', onetCode: '15-1252.00' };

logs('no line shows a capability, in whatever form it is in an address', async () => {
  const encode = (text: string) => text.replace(/./g, (one) => `%${one.charCodeAt(0).toString(16)}`);
  const again = (text: string) => text.replaceAll('%', '%25');
  const others = [
    'cnf_1',
    'clm_a-b_c9',
    'CNF_Zz',
    'xcnf_secret',
    'cnf%5Fsec%2dret',
    '%2563lm_secret',
    'grd_1',
  ];
  const hidden = ['cnf_***', 'clm_***', 'cnf_***', 'xcnf_***', 'cnf_***', 'clm_***', 'grd_***'];
  const plain = ['cand_none', 'cand%2f001', 'ws_short', `${'a'.repeat(30)}-${'9'.repeat(30)}`, '%250a'];
  const id = (await client.post('/candidates', candidate)).body.workspace as string;
  const bare = id.slice(3);
  const middle = id.slice(0, 20) + encode(id.slice(20, 21)) + id.slice(21);
  const whole = encode(id);
  const written = [
    ...[id, id.toUpperCase(), bare, `a-${bare}.json`, `ws%5F${bare}`, `%77s_${bare}`, whole, middle],
    ...[`x${id}`, `abc${bare}`, `aou${bare}x`, `${bare}${bare}`, `cand_${bare}`, `%2577s_${bare}`],
    ...[again(whole), again(again(whole)), again(middle), `%25%37%37s_${bare}`, encode(whole)],
  ];
  const lines = await linesOf(live, async () => {
    for (const name of [...written, ...others, ...plain])
      await sendRaw(live.port, `GET /candidates/${name} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
  });
  const paths = lines.map(({ path }) => path);
  for (const path of paths.slice(0, written.length)) {
    assert.match(path, /ws_\*\*\*/);
    for (const part of [id.slice(3, 12), id.slice(-9)])
      assert.not.ok(path.toLowerCase().includes(part), path);
  }
  assert.equal(
    paths.slice(written.length),
    [...hidden, ...plain].map((name) => `/candidates/${name}`),
  );
});

const token = '0123456789abcdefghjkmnpqrstvwxyz';
const zeroWidth = '%E2%80%8B';
const insert = (what: string) => token.slice(0, 9) + what + token.slice(9);
const damaged: [what: string, written: string, shown: string][] = [
  ['alone', token, '***'],
  ['behind a hyphen', `cnf-${token}`, 'cnf-***'],
  ['behind a dot', `grd.${token}`, 'grd.***'],
  ['behind a space', `clm%20${token}`, 'clm%***'],
  ['behind no separator', `sl${token}`, '***'],
  ['behind a prefix with a zero-width space', `c${zeroWidth}nf_${token}`, `c${zeroWidth}nf_***`],
  ['in capital letters', `CNF-${token.toUpperCase()}`, 'cnf-***'],
  ['with a zero-width space inside', insert(zeroWidth), '***'],
  ['with a zero-width space that is encoded twice', insert('%25E2%2580%258B'), '***'],
  ['with a soft hyphen behind its prefix', `cnf_${insert('%C2%AD')}`, 'cnf_***'],
  ['with a dot behind a damaged prefix', `cnf-${insert('.')}`, 'cnf-***'],
  [
    'encoded',
    encodeURIComponent(`grd.${token}`).replace(/./g, (one) => `%${one.charCodeAt(0).toString(16)}`),
    'grd%***',
  ],
  ['before a suffix', `${token}.json`, '***.json'],
  ['twice', `${token}-${token}`, '***-***'],
];
for (const [what, written, shown] of damaged) {
  logs(`no line shows a token ${what}`, async () => {
    const lines = await linesOf(live, () =>
      sendRaw(live.port, `GET /candidates/${written} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`),
    );
    assert.is(lines[0]!.path, `/candidates/${shown}`);
  });
}

logs('no line shows a token that was sent as a request id', async () => {
  const lines = await linesOf(live, async () => {
    for (const id of [token, `cnf-${token}`, `a.${token}`])
      await send(live.origin, '/offer', { headers: { 'X-Request-Id': id } });
  });
  assert.equal(
    lines.map(({ id }) => id),
    ['***', 'cnf-***', 'a.***'],
  );
});

logs('a line shows a request id of 32 hex digits, as proxies make them', async () => {
  const id = '0123456789abcdef0123456789abcdef';
  const lines = await linesOf(live, () => send(live.origin, '/offer', { headers: { 'X-Request-Id': id } }));
  assert.is(lines[0]!.id, id);
});

logs('the report of a fault that names a token does not show it', () => {
  assert.is(
    redactor.hideTokens(`Error: cannot read clm.${token}\n    at run (main.mjs:1)`),
    'Error: cannot read clm.***\n    at run (main.mjs:1)',
  );
  assert.is(redactor.hideTokens(`${token.slice(0, 9)}\u200b${token.slice(9)}`), '***');
});

logs.run();
