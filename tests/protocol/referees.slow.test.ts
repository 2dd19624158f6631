import { spawnSync } from 'node:child_process';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

const referees = suite('external validators');

referees('find nothing new, and give no lower score', () => {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/referees.ts', '--light'], {
    encoding: 'utf8',
  });
  for (const line of stdout.split('\n').filter((one) => /^[\w-]+: /.test(one)))
    console.log(`figure: ${line}`);
  assert.is(status, 0, `${stdout.slice(0, 8000)}${stderr}`);
});

referees.run();
