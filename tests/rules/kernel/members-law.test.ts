/** Each member of the body of each operation, replaced by what it must not be. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import * as v from 'valibot';
import { longestCell } from '../../../src/imports/cell-text.ts';
import { hasBody, hasId, type Operation } from '../../../src/kernel/operation.ts';
import { type Shape, unwrap } from '../../../src/kernel/shape.ts';
import { operations } from '../../../src/table.ts';
import { client } from '../../support/in-process.ts';
import { pluck } from '../../support/rows.ts';
import { buildSampledCall } from '../../support/sampled-calls.ts';
import { dayFromNow, makeSandbox, toBody } from '../../support/sandbox.ts';

const law = suite('each member of a body');

const batch = operations.find(({ operationId }) => operationId === 'createBatch')!.contract.sample;
const { workspace } = (await client.post('/batch', batch)).body;

/** Makes a link for each party and for an owner, and returns the headers of their tokens. */
async function openParties(): Promise<Record<string, string>> {
  const { mine, placements, jobOrders } = await makeSandbox(client, {
    candidates: [toBody.candidate({ ref: 'a' }), toBody.candidate({ ref: 'b' })],
    jobOrders: [toBody.jobOrder({ ref: 'o', openings: 2 })],
    placements: [
      toBody.placement({ candidateId: '#a', jobOrderId: '#o', startDate: dayFromNow(-10) }),
      toBody.placement({ candidateId: '#b', jobOrderId: '#o', status: 'proposed' }),
    ],
  });
  const { self } = placements[0].links;
  await client.post(`${self}/outcome`, { result: 'retained' }, mine);
  const asked = await client.post(`${self}/confirmations`, { party: 'client' }, mine);
  const shared = await client.post(`${jobOrders[0].links.self}/shortlist`, {}, mine);
  const { claim } = (await client.post('/workspace/claim', undefined, mine)).body;
  return {
    'X-Claim': claim.url.split('#')[1],
    'X-Confirmation': asked.body.confirmation.token,
    'X-Shortlist': shared.body.shortlist.token,
  };
}
const tokens = await openParties();

const rows = operations.filter(({ method, rawBody }) => hasBody(method) && !rawBody);
/** The names that lead to a member. The item of a list has the number 0. */
type Path = readonly (string | number)[];

interface Member {
  row: Operation;
  path: Path;
  schema: v.GenericSchema;
  shape: Shape;
}

/** Lists the members of an object in its order. A change of a batch has those of any kind, so its own are left out. */
function listMembers(row: Operation, { entries = {} }: Partial<Shape>, at: Path = []): Member[] {
  return Object.entries(entries).flatMap(([name, entry]) => {
    const schema = entry as v.GenericSchema;
    const [path, shape] = [[...at, name], unwrap(schema)];
    const item = shape.item && unwrap(shape.item);
    const inner = item?.chooseEntries ? [] : listMembers(row, item ?? shape, item ? [...path, 0] : path);
    const ofItem =
      item && !item.entries ? [{ row, path: [...path, 0], schema: shape.item!, shape: item }] : [];
    return [{ row, path, schema, shape }, ...ofItem, ...inner];
  });
}

const members = rows.flatMap((row) => listMembers(row, row.input as unknown as Partial<Shape>));

/** Returns a copy of `value` in which the part at `path` is `part`. A part that is undefined is left out. */
function replace(value: unknown, [name, ...rest]: Path, part: unknown): unknown {
  if (name === undefined) return part;
  if (name === 0) return [replace((value as unknown[] | undefined)?.[0], rest, part)];
  const whole = (value ?? {}) as Record<string, unknown>;
  return { ...whole, [name]: replace(whole[name], rest, part) };
}

const toPlace = (path: Path) =>
  path
    .map((name) => (name === 0 ? '[0]' : `.${name}`))
    .join('')
    .slice(1);

/** Sends the sample of an operation with another part. Asserts that the refusal names its place. */
async function refuses({ row, path }: Member, part: unknown, says = /./): Promise<void> {
  const isOfWorkspace = hasId(row) || row.access.workspace === 'required';
  const {
    method,
    target,
    headers,
    body = '{}',
  } = buildSampledCall(row, isOfWorkspace ? workspace : undefined);
  const sent = JSON.stringify(replace(JSON.parse(body), path, part));
  const reply = await client.ask(method, target, sent, { ...tokens, ...headers });
  const what = `${row.operationId} ${sent.slice(0, 200)}: ${reply.text.slice(0, 300)}`;
  assert.is(reply.status, 400, what);
  assert.is(reply.body.code, 'invalid_request', what);
  const places: string[] = pluck(reply.body.issues, 'path');
  assert.ok(places.includes(toPlace(path)), `${what} does not name ${toPlace(path)}`);
  const { message } = reply.body.issues[places.indexOf(toPlace(path))];
  assert.match(message, says, what);
}

const ofType = (type: string) => members.filter(({ shape }) => shape.type === type);
const allows = ({ schema }: Member, value: unknown) => v.safeParse(schema, value).success;

/** The operations that store no text of their body: they search for titles, read a file, or check a solution. */
const withoutStored = ['codeTitles', 'importRecords', 'submitWork'];
/** The id of a record in a batch is the one that it had in an export, and is not stored. */
const isOldId = ({ row, path }: Member) => row.operationId === 'createBatch' && path.at(-1) === 'id';
const storedTexts = ofType('string').filter(
  (member) => !withoutStored.includes(member.row.operationId) && !isOldId(member),
);

/** An object of the right type has no issue itself, but its members have. */
const isObject = ({ shape }: Member, value: unknown) =>
  shape.entries !== undefined && typeof value === 'object' && value !== null;

law('is refused if it has another type', async () => {
  for (const member of members)
    for (const value of [null, true, {}, 5, 'text', []])
      if (!allows(member, value) && !isObject(member, value)) await refuses(member, value);
});

law('is missing if it is required and not sent', async () => {
  const required = members.filter((member) => member.path.at(-1) !== 0 && !allows(member, undefined));
  assert.ok(required.length > 20);
  for (const member of required) await refuses(member, undefined, /is missing; send/);
});

law('is well-formed and has no character that deceives, if it is a text', async () => {
  assert.ok(storedTexts.length > 100);
  for (const member of storedTexts) for (const text of ['A\u202eB', '\ud800A']) await refuses(member, text);
});

law('has a visible character, if it is a text', async () => {
  for (const member of storedTexts)
    for (const text of ['', '\u00a0\u2003', '\u200b']) await refuses(member, text);
});

law('has no more characters than a cell of a file, if it is a text', async () => {
  // A file is bounded by its cells.
  const texts = ofType('string').filter(
    ({ row, path }) => `${row.operationId}.${path}` !== 'importRecords.text',
  );
  for (const member of texts) await refuses(member, 'x'.repeat(longestCell + 1));
});

law('is refused for its length alone, if it is a list of too many items', async () => {
  const lists = ofType('array');
  assert.ok(lists.length > 10);
  for (const member of lists) {
    const { mostItems } = member.shape;
    assert.ok(mostItems, toPlace(member.path));
    await refuses(member, Array(mostItems + 1).fill(1), /^must hold at most /);
  }
});

law('is bounded on both sides, if it is a number', async () => {
  assert.ok(ofType('number').length > 20);
  for (const member of ofType('number')) for (const value of [-1, 1e12]) await refuses(member, value);
});

law.run();
