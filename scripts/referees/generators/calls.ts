/**
 * Calls the service with the client that orval wrote: `calls.ts FOLDER ORIGIN`. It runs in a process of its own, because
 * it changes the global fetch: the client calls paths without an origin. It throws if a reply is not what the types say.
 */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { Json } from '../verdict.ts';

const [, , folder = '', origin = ''] = process.argv;
const { fetch } = globalThis;
globalThis.fetch = (path, options) => fetch(origin + path, options);
const client: Json = await import(join(folder, 'orval.ts'));

const pricing = await client.getPricing();
assert.equal(pricing.data.type, 'OK');

const created = await client.createCandidate({ name: 'Ada Example', onetCode: '15-1252.00' });
assert.equal(created.status, 201);
const { candidate, workspace } = created.data;

const headers = { 'X-Workspace': workspace };
const read = await client.getCandidate(candidate.id, undefined, { headers });
assert.deepEqual(read.data.candidate, candidate);
const whole = await client.getWorkspace({ headers });
assert.equal(whole.data.workspace.records.candidates, 1);
