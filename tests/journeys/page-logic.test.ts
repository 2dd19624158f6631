import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { listOperations } from '../../src/pages/_scripts/contract.ts';
import { formatGuaranteeDay } from '../../src/pages/_scripts/format.ts';
import { toCurl, toRequest, toToolCall } from '../../src/pages/_scripts/request.ts';

const logic = suite('logic of the pages');

const create = { method: 'POST', path: '/candidates', workspace: true };
const none = { path: {}, query: {}, header: {}, body: {} };

logic('the command line quotes what a shell would interpret', () => {
  const line = toCurl(toRequest(create, { ...none, body: { name: "O'Brien $HOME" } }), 'http://a.test');
  assert.is(
    line,
    `curl -i -X POST 'http://a.test/candidates' \\\n  -H 'Content-Type: application/json' \\\n  -d '{"name":"O'\\''Brien $HOME"}'`,
  );
});

const contract = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../dist/client/openapi.json'), 'utf8'),
);
const rows = listOperations(contract);

logic('a header becomes a header, and over MCP the argument in its place', () => {
  const header = {
    'X-Confirmation': 'cnf_1',
    'Idempotency-Key': '12',
    'If-Match': '3',
    Prefer: 'handling=strict',
  };
  const values = { ...none, header, body: { agrees: true } };
  assert.equal(toRequest({ ...create, workspace: false }, values, 'ws_1').headers, {
    'Content-Type': 'application/json',
    ...header,
  });
  const { params } = JSON.parse(toToolCall('answerConfirmation', values, { numbers: [] }).body ?? '');
  assert.equal(params.arguments, {
    agrees: true,
    confirmation: 'cnf_1',
    idempotencyKey: '12',
    revision: 3,
    strict: true,
  });
  const change = toToolCall('updateCandidate', { ...none, body: { name: 'A', note: null } }, { numbers: [] });
  assert.equal(JSON.parse(change.body ?? '').params.arguments, { name: 'A', clear: ['note'] });
  const { tools } = JSON.parse(
    readFileSync(join(import.meta.dirname, '../../dist/client/.well-known/agents.json'), 'utf8'),
  ).interfaces.mcp;
  for (const { operationId, fields } of rows.filter((row) => tools.includes(row.operationId))) {
    const names = fields.filter(({ place }) => place === 'header').map(({ name }) => [name, '1']);
    const call = toToolCall(operationId, { ...none, header: Object.fromEntries(names) }, { numbers: [] });
    assert.is(Object.keys(JSON.parse(call.body ?? '').params.arguments).length, names.length, operationId);
  }
});

logic('no day of a placement is above the guarantee that it is counted in', () => {
  for (let guarantee = 1; guarantee <= 90; guarantee++)
    for (let day = 0; day <= guarantee + 60; day++) {
      const words = formatGuaranteeDay(day, guarantee);
      const [, counted, of] = /^day (\d+) of (\d+)$/.exec(words) ?? [];
      if (counted) assert.ok(Number(counted) <= Number(of), words);
      else assert.is(words, `day ${day}, after the guarantee of ${guarantee} days`);
    }
});

logic('no page counts a day of a guarantee by itself', () => {
  const folder = join(import.meta.dirname, '../../src/pages');
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const found = names.filter(
    (name) =>
      /\.(ts|astro)$/.test(name) &&
      /\bday (\$\{[^\n]*?\}|\{[^\n]*?\}) of \$?\{/i.test(readFileSync(join(folder, name), 'utf8')),
  );
  assert.equal(found, ['_scripts/format.ts']);
});

logic.run();
