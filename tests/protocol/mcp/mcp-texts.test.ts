import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { makeCore } from '../../support/core.ts';
import { answerWith, listTexts, listTools } from '../../support/tool-samples.ts';

const texts = suite('arguments of tools that are texts');
const core = makeCore();
const tools = await listTools(core);

for (const one of tools)
  for (const path of listTexts(one.inputSchema))
    texts(`${one.name} reads a number or a boolean at ${path.join('.')} as its text`, async () => {
      for (const value of [17, true]) {
        const told = await answerWith(core, one, path, value);
        assert.is(told, await answerWith(core, one, path, String(value)), String(value));
        assert.not.match(told, 'must be a string');
      }
    });

texts('a whole number beyond 2^53 is refused, because its last digits are lost', async () => {
  const { structuredContent } = await core.tool('listCandidates', { ref: 2 ** 60 });
  assert.is(structuredContent.issues[0].path, 'ref');
});

texts.run();
