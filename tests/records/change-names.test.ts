import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { patch } from '../support/doors.ts';
import { client } from '../support/front.ts';
import type { Body } from '../support/http.ts';
import { makeSandbox, onetCode, refused, strict, toBody, unchanged } from '../support/sandbox.ts';

const names = suite('names that are not known');

/** A call with a name that it does not have, where that is told, and what was meant. */
type Named = [method: string, path: string, body: object | undefined, at: string, meant?: string];
const cases: Named[] = [
  ['GET', '/candidates?stauts=open', undefined, 'stauts', 'status'],
  ['GET', '/occupations?query=nurse', undefined, 'query', 'q'],
  ['POST', '/candidates', toBody.candidate({ metroo: 'x' }), 'metroo', 'metro'],
  ['POST', '/job-orders', toBody.jobOrder({ opening: 2 }), 'opening', 'openings'],
  ['POST', '/candidates?strict=true', toBody.candidate(), '?strict', undefined],
  ['PATCH', '', { names: 'B', metro: 'Austin, TX' }, 'names', 'name'],
  ['PATCH', '?name=B', { metro: 'Austin, TX' }, '?name', undefined],
  ['POST', '/batch', { candidate: [], jobOrders: [toBody.jobOrder()] }, 'candidate', 'candidates'],
  ['POST', '/batch', { candidates: [{ name: 'B', onetCode, skill: [] }] }, 'candidates[0].skill', 'skills'],
];

names('are warned of first, and refused where handling is strict', async () => {
  for (const [method, address, body, at, meant] of cases) {
    const sandbox = await makeSandbox(client, { candidates: [toBody.candidate()] });
    const self = sandbox.candidates[0].links.self;
    const path = method === 'PATCH' ? self + address : address;
    const send = (headers: object) =>
      client.request(method, path, {
        ...(body && { body: JSON.stringify(body) }),
        headers: headers as never,
      });
    const what = `${method} ${path}`;
    const code = at.startsWith('?') ? 'unread_query' : 'unknown_name';
    const holdPlace = ([place]: Body[]) => {
      assert.equal([place.code, place.path], [code, at], what);
      if (meant) assert.match(place.message, new RegExp(`did you mean ${meant}\\?`), what);
    };
    await unchanged(client, sandbox, async () => {
      const answer = await send({ ...sandbox.mine, ...strict });
      holdPlace(refused(answer, 400, 'invalid_request').issues);
      assert.is(answer.headers.get('preference-applied'), 'handling=strict', what);
      assert.is(answer.headers.get('cache-control'), 'no-store', what);
    });
    const lenient = await send(sandbox.mine);
    assert.ok(lenient.status < 300, `${what} ${lenient.text}`);
    assert.match(lenient.text, /^\{"type":"[A-Z]+","warnings":\[/, what);
    holdPlace(lenient.body.warnings);
    assert.match(lenient.headers.get('vary') ?? '', /\bPrefer\b/, what);
    assert.is(lenient.headers.get('preference-applied'), null, what);
  }
});

names('that an array or a prototype has are names like others', async () => {
  const sandbox = await makeSandbox(client, { candidates: [toBody.candidate()] });
  for (const name of ['constructor', 'toString', '__proto__', 'hasOwnProperty']) {
    const sent = `{"${name}": 1, "metro": "Austin, TX"}`;
    const { status, body } = await patch(client, sandbox.candidates[0].links.self, sent, sandbox.mine);
    assert.equal([status, body.warnings?.[0].path], [200, name]);
    assert.not.ok(Object.hasOwn(body.candidate, name));
  }
});

names.run();
