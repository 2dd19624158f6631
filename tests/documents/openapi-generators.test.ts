import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Body } from '../support/http.ts';
import { useServer } from '../support/server.ts';

const generators = suite('a contract that generators read');
const { origin } = await useServer();
const contract: Body = await (await fetch(`${origin}/openapi.json`)).json();

/** Every object in a part of the contract. */
function listObjects(part: Body): Body[] {
  if (typeof part !== 'object' || part === null) return [];
  return [part, ...Object.values(part).flatMap(listObjects)];
}

const all = listObjects(contract);

generators('no pattern escapes a slash: a generator that writes a RegExp escapes it again', () => {
  for (const { pattern } of all.filter((one) => typeof one.pattern === 'string'))
    assert.not.ok(/(?<!\\)(\\\\)*\\\//.test(pattern), pattern);
});

generators('an address of this origin begins with one slash', () => {
  const { pattern } = contract.components.schemas.Candidate.properties.links.properties.self;
  assert.match('/candidates', new RegExp(pattern));
  assert.not.match('//elsewhere.example', new RegExp(pattern));
});

generators('no list of words holds null: a generator writes an enum of text from it', () => {
  for (const { enum: words } of all.filter((one) => Array.isArray(one.enum)))
    assert.not.ok(words.includes(null), words.join());
});

generators('words that a change may remove are words or null', () => {
  const { anyOf } = contract.components.schemas.UpdateJobOrderBody.properties.shift;
  const [words, none] = anyOf.map(({ $ref, ...form }: Body) =>
    $ref ? contract.components.schemas[$ref.split('/').at(-1)] : form,
  );
  assert.equal(words.enum, ['day', 'evening', 'night', 'weekend']);
  assert.equal(none, { type: 'null' });
});

generators.run();
