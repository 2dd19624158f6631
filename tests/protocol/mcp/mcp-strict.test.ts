import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Body } from '../../support/http.ts';
import { createArguments, findRow, listTools, makeSampleWorkspace } from '../../support/tool-samples.ts';
import { World } from '../../support/world.ts';

const laws = suite('strict over MCP');
const world = new World();
const { tool } = world;
const all = await listTools(world);

const isTokenless = ({ name }: Body) => findRow(name).access.capability === undefined;

for (const one of all.filter(isTokenless))
  laws(`${one.name} refuses an unknown argument if strict is true`, async () => {
    const args = createArguments(one, await makeSampleWorkspace(world));
    const { structuredContent } = await tool(one.name, { ...args, zzqxv: 1, strict: true });
    assert.is(structuredContent.type, 'BLOCKED');
    assert.is(structuredContent.issues?.[0].path, 'zzqxv');
  });

for (const one of all.filter((each) => isTokenless(each) && each.annotations.readOnlyHint))
  laws(`${one.name} answers the same with strict if it knows each argument`, async () => {
    const args = createArguments(one, await makeSampleWorkspace(world));
    const read = async (more: object) => (await tool(one.name, { ...args, ...more })).structuredContent;
    const [usual, strict] = [await read({}), await read({ strict: true })];
    assert.is(strict.type, usual.type);
    assert.equal(strict.warnings, usual.warnings);
  });

laws.run();
