import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type * as v from 'valibot';
import { longestCell } from '../../../src/imports/cell-text.ts';
import { type Shape, unwrap } from '../../../src/kernel/shape.ts';
import { operations } from '../../../src/table.ts';

const test = suite('the longest texts that a caller can send');

/** A text that is bounded in another way: a file by its cells, and the id of a workspace by its shape. */
const others = new Set(['importRecords.text']);

interface Text {
  name: string;
  schema: v.GenericSchema;
}

/** Lists every text in a schema, by the path of its member. */
function listTexts(schema: v.GenericSchema, name: string): Text[] {
  const shape = unwrap(schema) as Shape & { options?: v.GenericSchema[] };
  if (shape.type === 'string') return [{ name, schema: shape }];
  if (shape.item) return listTexts(shape.item, `${name}[]`);
  if (shape.type === 'union') return shape.options!.flatMap((one) => listTexts(one, name));
  return Object.entries(shape.entries ?? {}).flatMap(([member, entry]) =>
    listTexts(entry as v.GenericSchema, `${name}.${member}`),
  );
}

interface Action {
  type: string;
  maxLength?: number;
  requirement?: unknown;
  pipe?: Action[];
}

const listActions = ({ pipe = [] }: Action): Action[] =>
  pipe.flatMap((action) => [action, ...(action.pipe ? listActions(action) : [])]);

/** Whether a pattern is one of the whole text, of which no part can be repeated without an end. */
const isOfBoundedLength = ({ source }: RegExp) =>
  /^\^.*\$$/.test(source) && !/[+*]|,\}/.test(source.replace(/\[[^\]]*\]|\\./g, ''));

/** Returns how many characters a text may have, or undefined if nothing bounds it. */
function findMost(schema: v.GenericSchema): number | undefined {
  const actions = listActions(schema as unknown as Action);
  const isShape = ({ requirement }: Action) =>
    requirement instanceof RegExp && isOfBoundedLength(requirement);
  if (actions.some(isShape)) return 100;
  const own = actions.find(({ maxLength }) => maxLength !== undefined);
  return own
    ? own.maxLength
    : (actions.find(({ type }) => type === 'max_length')?.requirement as number | undefined);
}

const texts = operations
  .filter(({ rawBody }) => !rawBody)
  .flatMap(({ operationId, input }) => listTexts(input, operationId))
  .filter(({ name }) => !others.has(name));

test('each text has a longest length, which is no more than that of a cell', () => {
  assert.ok(texts.length > 100, `${texts.length} texts`);
  const unbounded = texts.filter(
    ({ schema }) => !((findMost(schema) ?? Number.POSITIVE_INFINITY) <= longestCell),
  );
  assert.equal(
    unbounded.map(({ name }) => name),
    [],
  );
});

test.run();
