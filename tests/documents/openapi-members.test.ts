import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { withResponses } from '../support/contract.ts';
import { withServer } from '../support/server.ts';

// biome-ignore lint/suspicious/noExplicitAny: the document is walked as plain JSON
type Json = any;

const members = suite('members in the contract');
async function read(settings: Record<string, string>, ...paths: string[]): Promise<Json[]> {
  const seen: Json[] = [];
  await withServer({ LOG: 'off', ...settings }, async ({ origin }) => {
    for (const path of ['/openapi.json', ...paths]) seen.push(await (await fetch(origin + path)).json());
  });
  return seen;
}
const [contract, offer] = await read({}, '/offer?surplus=1');
const toNamed = (ref: string) => {
  const [kind, name] = ref.split('/').slice(2);
  return contract.components[kind!][name!];
};

const toWhole = (schema: Json) => (schema.$ref ? toNamed(schema.$ref) : schema);

/** Every schema below a node of the contract, with where it stands; examples are none. */
function* walk(node: Json, place = ''): Generator<[place: string, schema: Json]> {
  if (typeof node !== 'object' || node === null) return;
  yield [place, node];
  for (const [name, member] of Object.entries(node))
    if (!['example', 'examples', 'enum', 'required'].includes(name)) yield* walk(member, `${place}/${name}`);
}

const properties = [...walk(contract)].flatMap(([place, { properties: named }]) =>
  named && !place.endsWith('/properties')
    ? Object.entries<Json>(named).map(([name, schema]) => ({ place: `${place}/${name}`, name, schema }))
    : [],
);

members('each is told in words', () => {
  assert.ok(properties.length > 500, String(properties.length));
  for (const { place, name, schema } of properties) {
    if (name === 'type' && schema.const) continue;
    const { description } = toWhole(schema);
    assert.match(description ?? '', /\S/, place);
  }
});

members('every text and list that is sent has the end that the service holds it to', () => {
  const { paths } = withResponses(structuredClone(contract));
  const operations = Object.values<Json>(paths).flatMap((verbs) => Object.values<Json>(verbs));
  const sent = operations.flatMap(({ operationId, parameters = [], requestBody }) => {
    const bodies = Object.values<Json>(requestBody?.content ?? {});
    const queries = parameters.filter((one: Json) => one.in === 'query');
    return [...queries, ...bodies].flatMap(({ schema }) => [...walk(schema, operationId)]);
  });
  assert.ok(sent.length > 200, String(sent.length));
  for (const [place, { type, maxLength, maxItems, pattern, format, enum: values }] of sent) {
    // A method that is not known is refused, however long it is.
    if (place === 'callMcp/properties/method') continue;
    const types = [type].flat();
    if (types.includes('string')) assert.ok(maxLength ?? pattern ?? format ?? values, place);
    if (types.includes('array')) assert.ok(maxItems !== undefined, place);
  }
});

members('what the service makes has the shape that it is made in', () => {
  const bounds: Record<string, string> = {
    token: 'pattern',
    receipt: 'pattern',
    nextCursor: 'pattern',
    deleted: 'pattern',
    transitions: 'maxItems',
    log: 'maxItems',
    issues: 'maxItems',
    candidates: 'maxItems',
    matches: 'maxItems',
  };
  for (const [name, bound] of Object.entries(bounds)) {
    const found = properties.filter((one) => one.name === name && !/icp|links/.test(one.place));
    const typed = found.filter(({ schema }) => ['string', 'array'].includes(toWhole(schema).type));
    assert.ok(typed.length > 0, name);
    for (const { place, schema } of typed) assert.ok(toWhole(schema)[bound] !== undefined, place);
  }
});

members('the whole is at most 250,000 bytes', async () => {
  assert.ok(JSON.stringify(contract).length <= 250_000, String(JSON.stringify(contract).length));
});

members('forms that differ by type alone are one schema, and envelopes are told apart by type', () => {
  for (const [place, { anyOf, oneOf, discriminator }] of walk(contract)) {
    assert.not.ok(
      anyOf?.some(({ type }: Json) => type === 'null' && anyOf.length === 2),
      place,
    );
    if (!oneOf) continue;
    assert.is(discriminator?.propertyName, 'type', place);
    const refs = Object.entries<string>(discriminator.mapping);
    for (const [kind, ref] of refs) assert.is(toNamed(ref).properties.type.const, kind, ref);
    assert.equal(
      oneOf.map(({ $ref }: Json) => $ref),
      refs.map(([, ref]) => ref),
    );
  }
  assert.ok(contract.paths['/candidates'].get.responses[200].content['application/json'].schema.oneOf);
});

members('an offer has no member that is not told', () => {
  assert.equal(
    Object.keys(offer).filter((name) => !(name in contract.components.schemas.Offer.properties)),
    [],
  );
  assert.ok(offer.warnings.length > 0);
});

members('whom to ask is told where the operator says it', async () => {
  assert.is(contract.info.contact, undefined);
  const [byMail] = await read({ CONTACT: 'mailto:ops@careers.example' });
  assert.equal(byMail.info.contact, { email: 'ops@careers.example' });
  const [byPage] = await read({ CONTACT: 'https://careers.example/contact' });
  assert.equal(byPage.info.contact, { url: 'https://careers.example/contact' });
});

members.run();
