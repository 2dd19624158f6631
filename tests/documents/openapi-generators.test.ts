import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Body } from '../support/http.ts';
import { useServer } from '../support/server.ts';

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

generators.run();
