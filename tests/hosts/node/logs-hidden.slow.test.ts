import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { connect } from '../../support/http.ts';
import { findPort, withServer } from '../../support/server.ts';
import { sendRaw } from '../../support/wire.ts';

const hidden = suite('what logs hide');
const candidate = { name: 'Nobody Else', onetCode: '15-1252.00' };
const encode = (text: string) => text.replace(/./g, (one) => `%${one.charCodeAt(0).toString(16)}`);
const again = (text: string) => text.replaceAll('%', '%25');

/** The paths in the log of a server that was asked for candidates by these names, which get a workspace id. */
async function toLoggedPaths(toNames: (id: string) => string[]): Promise<{ id: string; paths: string[] }> {
  let id = '';
  const printed = await withServer({}, async ({ origin, port }) => {
    id = (await (await connect(origin)).post('/candidates', candidate)).body.workspace;
    for (const name of toNames(id))
      await sendRaw(port, `GET /candidates/${name} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
  });
  const lines = printed.split('\n').filter((line) => line.startsWith('{'));
  return { id, paths: lines.slice(1).map((line) => JSON.parse(line).path) };
}

hidden('no line shows a workspace id, however it is written into an address', async () => {
  const { id, paths } = await toLoggedPaths((made) => {
    const bare = made.slice(3);
    const middle = made.slice(0, 20) + encode(made.slice(20, 21)) + made.slice(21);
    const whole = encode(made);
    return [
      ...[made, made.toUpperCase(), bare, `a-${bare}.json`],
      ...[`ws%5F${bare}`, `%77s_${bare}`, whole, middle],
      ...[`x${made}`, `aWS_${bare}`, `abc${bare}`, `aou${bare}x`, `${bare}${bare}`, `cand_${bare}`],
      ...[`%2577s_${bare}`, `%252577s%25255f${bare}`, again(whole), again(again(whole)), again(middle)],
      ...[`%25%37%37s_${bare}`, encode(whole), encode(encode(made.slice(0, 12))) + made.slice(12)],
    ];
  });
  assert.is(paths.length, 22);
  for (const path of paths) {
    assert.match(path, /ws_\*\*\*/);
    for (const part of [id.slice(3, 12), id.slice(-9)])
      assert.not.ok(path.toLowerCase().includes(part), path);
    assert.not.match(path, /%/);
  }
});

hidden('nor what begins like another capability', async () => {
  const names = ['cnf_1', 'clm_a-b_c9', 'CNF_Zz', 'xcnf_secret', 'cnf%5Fsec%2dret', '%2563lm_secret'];
  const { paths } = await toLoggedPaths(() => names);
  assert.equal(
    paths,
    ['cnf_***', 'clm_***', 'cnf_***', 'xcnf_***', 'cnf_***', 'clm_***'].map((name) => `/candidates/${name}`),
  );
});

hidden('what is no capability stays as it was sent', async () => {
  const names = ['cand_none', 'cand%2f001', 'ws_short', `${'a'.repeat(30)}-${'9'.repeat(30)}`, '%250a'];
  const { paths } = await toLoggedPaths(() => names);
  assert.equal(
    paths,
    names.map((name) => `/candidates/${name}`),
  );
});

hidden('a fault on stderr names the request that met it', async () => {
  const env = { STORE_URL: `redis://127.0.0.1:${await findPort()}`, LOG: 'off' };
  const workspace = 'ws_'.padEnd(42, '0');
  const printed = await withServer(env, async ({ origin }) => {
    const client = await connect(origin);
    const pause = () => new Promise((resolve) => setTimeout(resolve, 1100));
    await pause();
    await client.post('/candidates', candidate, { 'X-Request-Id': 'first.one' });
    await pause();
    const call = { name: 'createCandidate', arguments: candidate };
    await client.rpc('tools/call', call, { 'X-Request-Id': 'by-tool' });
    await pause();
    await client.post('/candidates', candidate, { 'X-Request-Id': workspace });
  });
  const lines = printed.split('\n').filter((line) => line.includes('"level":"error"'));
  assert.equal(
    lines.map((line) => JSON.parse(line).id),
    [undefined, 'first.one', 'by-tool', 'ws_***'],
    'that the store is away is told at the start, and then as requests meet it',
  );
});

hidden.run();
