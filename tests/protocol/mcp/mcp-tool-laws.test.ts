import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { toPlainSchema } from '../../../src/kernel/json-schema.ts';
import { kinds } from '../../../src/kinds.ts';
import type { Body } from '../../support/http.ts';
import { createArguments, findRow, listTools } from '../../support/tool-samples.ts';
import { World } from '../../support/world.ts';

const laws = suite('what the schema of each tool says');
const world = new World();
const { ask, tool } = world;
const all = await listTools(world);
const lists: [name: string, tools: Body[]][] = [
  ['all tools', all],
  ['core tools', await listTools(world, 'core')],
];

const pages = ({ name }: Body) =>
  JSON.stringify(toPlainSchema(findRow(name).contract.replies[200]!.schema!)).includes('"nextCursor"');

for (const [name, tools] of lists)
  laws(`${name}: a tool that answers nextCursor takes cursor`, () => {
    const paged = tools.filter((one) => findRow(one.name).contract.replies[200]?.schema && pages(one));
    assert.ok(paged.length > 3);
    for (const one of paged) assert.is(one.inputSchema.properties.cursor?.type, 'string', one.name);
  });

/** Makes a workspace in which each list has more rows than any tool answers unless it is told to. */
async function makeLargeWorkspace(): Promise<string> {
  const onetCode = '29-1141.00';
  let workspace: string | undefined;
  for (let at = 0; at < 30; at += 1) {
    const { structuredContent } = await tool('createBatch', {
      ...(workspace && { workspace }),
      candidates: [{ name: `Person ${at}`, onetCode, ref: at === 0 ? 'candidate' : `person-${at}` }],
      jobOrders: [{ client: 'Example', title: 'Nurse', onetCode, ref: at === 0 ? 'jobOrder' : `job-${at}` }],
      ...(at > 1 && {
        placements: [{ candidateId: '#person-1', jobOrderId: '#job-1', onetCode, status: 'proposed' }],
      }),
    });
    workspace = structuredContent.workspace as string;
  }
  return workspace!;
}

const large = await makeLargeWorkspace();

for (const one of all.filter(({ inputSchema }) => inputSchema.properties.limit))
  laws(`${one.name} has the default of limit that its schema says`, async () => {
    const [, said] = /\b(\d+) unless said/.exec(one.inputSchema.properties.limit.description) ?? [];
    const args = { ...createArguments(one, large), q: undefined, status: undefined };
    const read = async (limit?: number) => (await tool(one.name, { ...args, limit })).structuredContent;
    const usual = await read();
    assert.equal(usual, await read(Number(said)));
    assert.not.equal(usual, await read(Number(said) - 1), 'there are enough rows to tell');
  });

for (const kind of kinds)
  laws(`the changes of a batch show each member that a change of a ${kind.noun} takes`, async () => {
    const { body: contract } = await ask('GET', '/openapi.json');
    const { schema } = contract.paths[`${kind.path}/{id}`].patch.requestBody.content['application/json'];
    const [, component] = /([^/]+)$/.exec(schema.$ref ?? '') ?? [];
    const { properties } = component ? contract.components.schemas[component] : schema;
    const shown = all.find(({ name }) => name === 'createBatch')!.inputSchema.properties.changes.items;
    for (const name of Object.keys(properties)) assert.ok(Object.hasOwn(shown.properties, name), name);
  });

laws('the changes of a batch in the core list show what its records show', () => {
  const { properties } = lists[1]![1].find(({ name }) => name === 'createBatch')!.inputSchema;
  for (const { collection } of kinds)
    for (const name of Object.keys(properties[collection].items.properties))
      assert.ok(Object.hasOwn(properties.changes.items.properties, name), `${collection} ${name}`);
});

laws.run();
