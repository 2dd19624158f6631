import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { useServer } from '../../support/server.ts';

const readme = suite('README and the first lines of the pages');
const run = promisify(execFile);
const root = join(import.meta.dirname, '..', '..', '..');
const { origin } = await useServer();
const read = (file: string) => readFileSync(join(root, file), 'utf8');
const get = async (path: string) => (await fetch(origin + path)).text();

readme('the calls in README work, each with the ids of the earlier replies', async () => {
  const calls = read('README.md').match(/^curl (?:[^'\n]|'[^']*')+/gm) ?? [];
  assert.is(calls.length, 8);
  const ids: Record<string, string> = { 'localhost:4321': origin };
  for (const call of calls) {
    const [, status, type = 'OK'] = /# (\d+) (\w+)$/.exec(call) ?? [];
    const text = call.replace(/localhost:4321|\w+_…/g, (place) => ids[place] ?? place);
    assert.not.match(text, /…/, 'every id is from an earlier answer');
    const command = text.replace('curl', "curl --silent --write-out '\n%{http_code}'");
    const [, body = '', code] = /^(.*)\n(\d+)$/s.exec((await run('sh', ['-c', command])).stdout)!;
    const answer = JSON.parse(body);
    assert.is(answer.type, type, `${call}\n${body}`);
    if (status) assert.is(code, status, call);
    if (answer.workspace && answer.candidate) {
      ids['cand_…'] = answer.candidate.id;
      ids['ws_…'] = answer.workspace;
    }
  }
});

readme('README, /icp.json, llms.txt, the home page and SECURITY.md agree on who this is for', async () => {
  const { audience, isNot } = JSON.parse(await get('/icp.json'));
  assert.is(audience.length + isNot.length, 6);
  const people = [read('README.md'), await get('/index.html'), await get('/index.md')];
  for (const { job } of audience) for (const place of people) assert.ok(place.includes(job), job);
  const places = [...people, await get('/llms.txt')];
  for (const text of isNot) for (const place of places) assert.ok(place.includes(text), text);
  const plain = /personal data in a public sandbox.*On your own host the data is yours/s;
  for (const place of [...places, read('SECURITY.md')]) assert.match(place, plain);
});

readme.run();
