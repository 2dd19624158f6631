import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { answerWith, listTexts, listTools } from '../../support/tool-samples.ts';
import { World } from '../../support/world.ts';

const texts = suite('arguments of tools that are texts');
const world = new World();
const tools = await listTools(world);

for (const one of tools)
  for (const path of listTexts(one.inputSchema))
    texts(`${one.name} reads a number or a boolean at ${path.join('.')} as its text`, async () => {
      for (const value of [17, true]) {
        const told = await answerWith(world, one, path, value);
        assert.is(told, await answerWith(world, one, path, String(value)), String(value));
        assert.not.match(told, 'must be a string');
      }
    });

texts('a whole number beyond 2^53 is refused, because its last digits are lost', async () => {
  const { structuredContent } = await world.tool('listCandidates', { ref: 2 ** 60 });
  assert.is(structuredContent.issues[0].path, 'ref');
});

texts.run();
