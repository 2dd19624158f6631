/** A process of scripts/test.ts: runs each test file whose name its parent sends, until it gets an empty name. */
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
  // What was printed may arrive after the message: a NUL at the end of both streams says that it is whole.
  process.stdout.write('\0', () => process.stderr.write('\0', () => process.send!({ code })));
});
process.on('disconnect', () => process.exit());
