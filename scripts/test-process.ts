/** A child process of scripts/test.ts. It runs each test file that its parent names, until it gets an empty name. */
import { join } from 'node:path';

const shared = globalThis as unknown as { UVU_DEFER: number; UVU_QUEUE: unknown[] };
shared.UVU_DEFER = 1;
const { exec } = await import('uvu');

process.on('message', async (name: string) => {
  if (name === '') process.exit();
  shared.UVU_QUEUE = [[null]];
  process.exitCode = 0;
  let code: number;
  try {
    await import(join(import.meta.dirname, '..', 'tests', name));
    await exec();
    code = Number(process.exitCode);
  } catch (error) {
    console.error(error);
    code = 1;
  }
  // Output may arrive after the message, so a NUL marks the end of each stream.
  process.stdout.write('\0', () => process.stderr.write('\0', () => process.send!({ code })));
});
process.on('disconnect', () => process.exit());
