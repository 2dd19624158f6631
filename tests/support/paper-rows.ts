import * as v from 'valibot';
import { defineDocument, defineUnlisted } from '../../src/kernel/document.ts';
import { defineOperation } from '../../src/kernel/operation.ts';
import { paging } from '../../src/kernel/page.ts';
import { Refusal } from '../../src/kernel/refusal.ts';

/** The names of the operations that ran. */
export const ranPapers: string[] = [];
const run =
  (name: string, status = 200) =>
  () => {
    ranPapers.push(name);
    return { status, body: { type: 'OK', name } };
  };
const contract = { summary: 'A document.', description: 'A document.' };

/** Documents and other rows of each way to cache a reply. */
export const paperRows = [
  defineDocument({
    operationId: 'getHome',
    path: '/',
    contract: { ...contract, members: {} },
    markdown: () => '# Home\n\nText.\n\nMore.',
    make: () => ({ type: 'OK' }),
  }),
  defineDocument({
    operationId: 'getPaper',
    path: '/paper',
    contract: { ...contract, members: {} },
    markdown: (_, id) => `# Paper ${id}\n\nText.`,
    page: true,
    make: () => ({ type: 'OK', text: 'paper' }),
  }),
  defineUnlisted({
    operationId: 'getText',
    path: '/text.txt',
    contract,
    type: 'text/plain; charset=utf-8',
    headers: { 'X-Own': 'own' },
    make: () => 'plain text',
  }),
  defineDocument({ operationId: 'getNone', path: '/none', contract, make: () => undefined }),
  defineOperation({
    operationId: 'listThings',
    method: 'GET',
    path: '/things',
    input: v.object({ ...paging }),
    caching: { rule: 'record' },
    access: { workspace: true },
    run: run('list'),
  }),
  defineOperation({ operationId: 'createThing', method: 'POST', path: '/things', run: run('create', 201) }),
  defineOperation({
    operationId: 'getThing',
    method: 'GET',
    path: '/things/{id}',
    alias: '/old/{id}',
    caching: { rule: 'brief' },
    run: ({ id }) => ({ status: id === 'none' ? 404 : 200, body: { type: 'OK', id } }),
  }),
  defineOperation({ operationId: 'changeThing', method: 'PATCH', path: '/things/{id}', run: run('change') }),
  defineOperation({
    operationId: 'getProbe',
    method: 'GET',
    path: '/probe',
    access: { probe: true },
    run: run('probe'),
  }),
  defineOperation({
    operationId: 'failNow',
    method: 'POST',
    path: '/fail',
    run: () => {
      throw new Error('broken');
    },
  }),
  defineOperation({
    operationId: 'failLater',
    method: 'POST',
    path: '/raw',
    rawBody: true,
    refused: ({ envelope }) => ({ status: 418, body: { own: envelope.code } }),
    run: async () => {
      throw new Refusal('changed');
    },
  }),
  defineOperation({
    operationId: 'getTagged',
    method: 'GET',
    path: '/tagged',
    run: () => ({ status: 200, body: { type: 'OK' }, headers: { ETag: '"a"' } }),
  }),
];
