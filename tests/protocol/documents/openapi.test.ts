import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { withResponses } from '../../support/contract.ts';
import { withOpenServer } from '../../support/open-host.ts';
import { pluck } from '../../support/rows.ts';
import { findPort, useServer } from '../../support/server.ts';
import { send } from '../../support/wire.ts';
import { World } from '../../support/world.ts';

// biome-ignore lint/suspicious/noExplicitAny: the document is walked as plain JSON
type Json = any;

const openapi = suite('the contract');
const server = await useServer();
const text = await (await fetch(`${server.origin}/openapi.json`)).text();
const raw: Json = JSON.parse(text);
const contract: Json = withResponses(JSON.parse(text));
const operations: Json[] = Object.entries<Json>(contract.paths).flatMap(([path, verbs]) =>
  Object.entries<Json>(verbs).map(([verb, operation]) => ({ path, verb, ...operation })),
);

/** Lists every object of a document, with its path. */
function* walk(node: Json, place = '#'): Generator<[place: string, node: Json]> {
  if (typeof node !== 'object' || node === null) return;
  yield [place, node];
  for (const [name, member] of Object.entries(node)) yield* walk(member, `${place}/${name}`);
}

openapi('has only addresses of its own, and asks for no key', () => {
  for (const { url } of contract.servers) assert.ok(URL.canParse(url, server.origin), url);
  assert.equal(contract.security, []);
  assert.is(contract.components.securitySchemes, undefined);
  for (const { operationId, security } of operations) assert.equal(security, [], operationId);
});

openapi('has a schema for every success with a body, and one for every refusal', () => {
  for (const { operationId, responses } of operations) {
    assert.ok(responses.default, `${operationId} says what any other status is`);
    const answer = operationId === 'getOffer' ? /^402$/ : /^2/;
    assert.ok(
      Object.keys(responses).some((status) => answer.test(status)),
      operationId,
    );
    for (const [status, { content }] of Object.entries<Json>(responses)) {
      const media = Object.values<Json>(content ?? {});
      // An accepted notification has no body, and neither has a 304.
      assert.is(media.length > 0, status !== '202' && status !== '304', `${operationId} ${status}`);
      for (const { schema } of media) assert.ok(schema, `${operationId} ${status}`);
    }
  }
});

openapi('describes every parameter and its type, and says where a body is required', () => {
  for (const { operationId, verb, parameters = [], requestBody } of operations) {
    for (const { name, description, schema } of parameters) {
      assert.match(description ?? '', /\S/, `${operationId} ${name}`);
      assert.ok(schema.type, `${operationId} ${name} has a type`);
    }
    assert.is(requestBody !== undefined, verb === 'post' || verb === 'patch', operationId);
    if (!requestBody) continue;
    const { $ref, required = [] } = requestBody.content['application/json'].schema;
    const members = $ref ? (toNamed($ref).required ?? []) : required;
    assert.is(requestBody.required, verb === 'patch' || members.length > 0, operationId);
  }
});

openapi('names each parameter of an operation once', () => {
  for (const { operationId, parameters = [] } of operations) {
    const names = pluck(parameters, 'name');
    assert.is(new Set(names).size, names.length, `${operationId}: ${names.join(', ')}`);
  }
});

const toNamed = (ref: string) => {
  const [kind, name] = ref.split('/').slice(2);
  return raw.components[kind!][name!];
};

const toWhole = (schema: Json) => (schema.$ref ? toNamed(schema.$ref) : schema);

/** Lists every schema below a node of the contract, with its path, but no examples and no `not`. */
const listSchemas = (node: Json, place = '') =>
  [...walk(node, place)].filter(
    ([at]) => !/\/(example|examples|enum|required|not)(\/|$)/.test(at.slice(place.length)),
  );

const properties = listSchemas(raw).flatMap(([place, { properties: named }]) =>
  named && !place.endsWith('/properties')
    ? Object.entries<Json>(named).map(([name, schema]) => ({ place: `${place}/${name}`, name, schema }))
    : [],
);

openapi('describes each member', () => {
  assert.ok(properties.length > 500, String(properties.length));
  for (const { place, name, schema } of properties) {
    if (name === 'type' && schema.const) continue;
    const { description } = toWhole(schema);
    assert.match(description ?? '', /\S/, place);
  }
});

openapi('bounds every text and list that a caller sends', () => {
  const sent = operations.flatMap(({ operationId, parameters = [], requestBody }) => {
    const bodies = Object.values<Json>(requestBody?.content ?? {});
    const queries = parameters.filter((one: Json) => one.in === 'query');
    return [...queries, ...bodies].flatMap(({ schema }) => listSchemas(schema, operationId));
  });
  assert.ok(sent.length > 200, String(sent.length));
  for (const [place, { type, maxLength, maxItems, pattern, format, enum: values }] of sent) {
    // An unknown method is refused, however long it is.
    if (place === 'callMcp/properties/method') continue;
    const types = [type].flat();
    if (types.includes('string')) assert.ok(maxLength ?? pattern ?? format ?? values, place);
    if (types.includes('array')) assert.ok(maxItems !== undefined, place);
  }
});

openapi('gives tokens, cursors and lists of replies their pattern or length', () => {
  const bounds = {
    ...{ token: 'pattern', receipt: 'pattern', nextCursor: 'pattern', deleted: 'pattern' },
    ...{ transitions: 'maxItems', log: 'maxItems', issues: 'maxItems', candidates: 'maxItems' },
    matches: 'maxItems',
  };
  for (const [name, bound] of Object.entries(bounds)) {
    const found = properties.filter((one) => one.name === name && !/icp|links/.test(one.place));
    const typed = found.filter(({ schema }) => ['string', 'array'].includes(toWhole(schema).type));
    assert.ok(typed.length > 0, name);
    for (const { place, schema } of typed) assert.ok(toWhole(schema)[bound] !== undefined, place);
  }
});

// The verifier of the standard reads 262,144 bytes at most. A host with a long name and a contact stays below that.
openapi('is smaller than the standard allows at any origin', async () => {
  const env = {
    BASE_URL: 'https://careers-placement.staffing.example-agency.com',
    CONTACT: 'https://www.example-agency.com/about/contact-us/engineering',
    PORT: String(await findPort()),
    LOG: 'off',
  };
  await withOpenServer(env, async ({ origin }) => {
    const headers = { Host: new URL(env.BASE_URL).host };
    const published = (await send(origin, '/openapi.json', { headers })).bytes.toString();
    const bytes = Buffer.byteLength(published);
    console.log(`figure: openapi.json bytes ${bytes}`);
    assert.ok(published.includes(env.BASE_URL));
    assert.ok(bytes <= 260_000, String(bytes));
  });
});

openapi('has one schema for forms that differ in type alone, and tells envelopes apart by type', () => {
  for (const [place, { anyOf, oneOf, discriminator }] of listSchemas(raw)) {
    const forms: Json[] = anyOf?.map((form: Json) => toWhole(form)) ?? [];
    const isMergeable = forms.length === 2 && forms.every(({ type, enum: words }) => type && !words);
    assert.not.ok(isMergeable && forms.some(({ type }) => type === 'null'), place);
    if (!oneOf) continue;
    assert.is(discriminator?.propertyName, 'type', place);
    const refs = Object.entries<string>(discriminator.mapping);
    for (const [kind, ref] of refs) assert.is(toNamed(ref).properties.type.const, kind, ref);
    assert.equal(
      oneOf.map(({ $ref }: Json) => $ref),
      refs.map(([, ref]) => ref),
    );
  }
  assert.ok(raw.paths['/candidates'].get.responses[200].content['application/json'].schema.oneOf);
});

openapi('declares every member of an offer', async () => {
  const offer = await (await fetch(`${server.origin}/offer?surplus=1`)).json();
  for (const name of Object.keys(offer)) assert.ok(name in raw.components.schemas.Offer.properties, name);
  assert.ok(offer.warnings.length > 0);
});

openapi('names the contact that the operator has set', async () => {
  const url = 'https://careers.example/contact';
  const world = new World({ settings: { contact: url } });
  assert.equal((await world.get('/openapi.json')).body.info.contact, { url });
  assert.is(raw.info.contact, undefined);
});

openapi('names each component by what it is, and none by a number', () => {
  const names = Object.values<object>(raw.components).flatMap((kind) => Object.keys(kind));
  assert.equal(
    names.filter((one) => /\d$/.test(one)),
    [],
  );
});

openapi.run();
