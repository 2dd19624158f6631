import { build } from 'esbuild';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { describeOperations } from '../../../src/kernel/contract.ts';
import { renameContracts, renameWorkspace } from '../../support/newcomer/rename-workspace.ts';

const contracts = suite('contracts');

contracts('are put beside their rows, and so are their tools', () => {
  const [operation] = describeOperations([renameWorkspace], renameContracts);
  assert.is(operation!.contract.summary, 'Rename a workspace');
  assert.is(operation!.tool?.description, 'Rename a workspace.');
});

contracts('throw if a listed row has none, and name it', () => {
  assert.throws(() => describeOperations([renameWorkspace], {}), /renameWorkspace has no contract/);
});

contracts('are not needed by a row that is not listed', () => {
  const [operation] = describeOperations([{ ...renameWorkspace, listed: false }], {});
  assert.equal(operation!.contract.replies, {});
});

contracts('are in no module of the worker', async () => {
  const { metafile } = await build({
    entryPoints: ['src/hosts/worker/main.ts'],
    bundle: true,
    write: false,
    metafile: true,
    logLevel: 'silent',
  });
  const modules = Object.keys(metafile.inputs).filter((file) => file.startsWith('src/'));
  assert.ok(modules.includes('src/live.ts'));
  assert.equal(
    modules.filter((file) => /contract\.ts$/.test(file)),
    ['src/kernel/contract.ts'],
  );
});

contracts.run();
