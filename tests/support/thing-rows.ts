import * as v from 'valibot';
import { defineOperation, type OperationContext } from '../../src/kernel/operation.ts';
import { Refusal } from '../../src/kernel/refusal.ts';
import { listSchema, textSchema } from '../../src/kernel/text.ts';
import { passCapability } from './small-table.ts';

const Name = textSchema(20, 'Name', 'A name.');
const thing = v.object({ name: Name, count: v.optional(v.number('must be a number')) });

/** The calls that ran, and the status of their replies. 409 is a refusal. */
export const ran = {
  contexts: [] as Pick<OperationContext, 'options' | 'sentId'>[],
  status: 200,
};
const run = (input: object, { options, sentId }: OperationContext) => {
  ran.contexts.push({ options, sentId });
  if (ran.status === 409) throw new Refusal('conflict');
  return { status: ran.status, body: { type: 'OK', input } };
};

/** Rows of each kind of access. */
export const thingRows = [
  defineOperation({
    operationId: 'getThing',
    method: 'GET',
    path: '/things/{id}',
    input: v.object({ q: v.optional(Name) }),
    access: { workspace: true },
    findId: (named, { id }) => `${named} in ${id}`,
    run,
  }),
  defineOperation({
    operationId: 'createThing',
    method: 'POST',
    path: '/things',
    input: thing,
    access: { workspace: true },
    unread: ['source'],
    check: ({ name }) => (name === 'bad' ? [{ path: 'name', message: 'must not be bad' }] : []),
    run,
  }),
  defineOperation({
    operationId: 'changeThing',
    method: 'PATCH',
    path: '/things/{id}',
    input: v.object({ name: v.optional(Name), scope: v.optional(v.string()) }),
    access: {
      workspace: 'required',
      withoutWorkspace: (_, id) => {
        if (id === 'seed') throw new Refusal('read_only');
      },
    },
    run,
  }),
  defineOperation({
    operationId: 'addThings',
    method: 'POST',
    path: '/batch',
    input: v.object({ things: listSchema(thing, 100, 'things') }),
    access: { workspace: 'required' },
    isBulk: true,
    countRecords: ({ things }) => (Array.isArray(things) ? things.length : 0),
    run: (input, context) => {
      run(input, context);
      const headers = input.things[0]?.name === 'again' ? { 'Idempotency-Replayed': 'true' } : undefined;
      return { status: 200, body: { type: 'OK' }, ...(headers && { headers }) };
    },
  }),
  defineOperation({
    operationId: 'usePass',
    method: 'POST',
    path: '/pass',
    access: { capability: passCapability },
    boundAnswer: () => 1234,
    run,
  }),
  defineOperation({ operationId: 'mint', method: 'PATCH', path: '/mint', access: { mints: true }, run }),
];

export const inWorkspace = { 'X-Workspace': 'ws_1' };
