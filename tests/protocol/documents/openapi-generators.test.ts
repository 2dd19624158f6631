import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Body } from '../../support/http.ts';
import { useServer } from '../../support/server.ts';

const generators = suite('a contract that code generators can read');
const { origin } = await useServer();
const contract: Body = await (await fetch(`${origin}/openapi.json`)).json();

/** Lists every object in a part of the contract. */
function listObjects(part: Body): Body[] {
  if (typeof part !== 'object' || part === null) return [];
  return [part, ...Object.values(part).flatMap(listObjects)];
}

const all = listObjects(contract);

generators('no pattern escapes a slash, because generators that write a RegExp escape it again', () => {
  for (const { pattern } of all.filter((one) => typeof one.pattern === 'string'))
    assert.not.ok(/(?<!\\)(\\\\)*\\\//.test(pattern), pattern);
});

generators('an address of this origin begins with one slash', () => {
  const { self } = contract.components.schemas.Candidate.properties.links.properties;
  const { pattern } = self.$ref ? contract.components.schemas[self.$ref.split('/').at(-1)] : self;
  assert.match('/candidates', new RegExp(pattern));
  assert.not.match('//elsewhere.example', new RegExp(pattern));
});

generators('no enum contains null, because generators take an enum for text', () => {
  for (const { enum: words } of all.filter((one) => Array.isArray(one.enum)))
    assert.not.ok(words.includes(null), words.join());
});

generators('an enum that a change may remove is nullable', () => {
  const { anyOf } = contract.components.schemas.UpdateJobOrderBody.properties.shift;
  const [words, none] = anyOf.map(({ $ref, ...form }: Body) =>
    $ref ? contract.components.schemas[$ref.split('/').at(-1)] : form,
  );
  assert.equal(words.enum, ['day', 'evening', 'night', 'weekend']);
  assert.equal(none, { type: 'null' });
});

const isFixed = ({ const: value, enum: values }: Body): boolean =>
  value !== undefined || Array.isArray(values);

/** Follows the reference of a schema, if it is one. */
const toWhole = (schema: Body): Body =>
  schema.$ref ? contract.components.schemas[schema.$ref.split('/').at(-1)] : schema;

// openapi-python-client writes invalid Python for an optional boolean that has one value.
generators('no schema fixes a boolean to one value', () => {
  const fixed = all.filter((schema) =>
    [schema.const, schema.enum].flat().some((value) => typeof value === 'boolean'),
  );
  assert.equal(fixed, []);
});

// The class that openapi-python-client writes refuses every value of the other forms.
generators('no form of several is a fixed value, unless the other form is null', () => {
  for (const { anyOf } of all.filter((schema) => Array.isArray(schema.anyOf))) {
    const others = anyOf.map(toWhole).filter(({ type }: Body) => type !== 'null');
    assert.not.ok(others.length > 1 && others.some(isFixed), JSON.stringify(anyOf));
    assert.not.ok(
      others.some((form: Body) => form.const !== undefined),
      JSON.stringify(anyOf),
    );
  }
});

generators.run();
