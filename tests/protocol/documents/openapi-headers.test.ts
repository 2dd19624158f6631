import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { withResponses } from '../../support/contract.ts';
import { openFor } from '../../support/open-host.ts';

interface Operation {
  operationId: string;
  parameters?: { name: string; in: string }[];
  responses: Record<string, { headers?: Record<string, { $ref: string }> }>;
}

const told = suite('rate limits and their headers in the contract');
const server = await openFor(told, { TRUST_PROXY: '1', RATE_LIMIT_LIVE: '1', LOG: 'off' });
const contract = withResponses(await (await fetch(`${server.origin}/openapi.json`)).json());
const operations = Object.entries<Record<string, Operation>>(contract.paths).flatMap(([path, verbs]) =>
  Object.entries(verbs).map(([verb, operation]) => ({ path, verb, ...operation })),
);

// The contract declares RateLimit-Policy at 429 alone, for its size.
const names = ['retry-after', 'ratelimit', 'x-request-id'];
const everywhere = 'access-control-allow-origin';
const toDeclared = ({ headers = {} }: Operation['responses'][string]) =>
  Object.keys(headers).map((name) => name.toLowerCase());

for (const [index, { path, verb, operationId, parameters = [], responses }] of operations.entries()) {
  const query = parameters.find((parameter) => parameter.in === 'query');
  const isOwn = parameters.some(({ name }) => /^X-(Workspace|Confirmation|Shortlist|Grader)$/.test(name));
  const isDocument =
    verb === 'get' && parameters.every(({ name }) => name === 'If-None-Match') && operationId !== 'getOffer';

  told(`${operationId} declares what it sends above its limit`, async () => {
    const ask = () =>
      fetch(server.origin + path.replace('{id}', 'none') + (query ? `?${query.name}=1` : ''), {
        method: verb.toUpperCase(),
        headers: { 'X-Forwarded-For': `203.0.113.${index}`, 'Content-Type': 'application/json' },
        ...(verb === 'post' && { body: '{}' }),
      });
    const replies = [await ask(), await ask()];
    for (const { status, headers } of replies) {
      assert.is(headers.get(everywhere), '*');
      if (!headers.get('cache-control')?.includes('no-store')) continue;
      const declared = toDeclared(responses[status] ?? responses.default!);
      for (const name of names.filter((one) => headers.has(one)))
        assert.ok(declared.includes(name), `${status} has ${name}, and the contract does not`);
    }
    assert.is(replies[1]!.status === 429, !isDocument, 'live answers have a limit, documents have none');
    assert.is('429' in responses, !isDocument);
    // A reply that a cache may keep says nothing about the caller.
    if (verb === 'get' && operationId !== 'getOffer' && responses[200] && !isOwn)
      assert.equal(toDeclared(responses[200]), ['etag']);
    if (isDocument) return;
    const limited = [...names, 'ratelimit-policy'];
    assert.equal(toDeclared(responses[429]!).sort(), limited.sort());
    for (const name of limited) assert.ok(replies[1]!.headers.has(name), name);
  });
}

told.run();
