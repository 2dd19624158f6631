/** A child process of scripts/test.ts. It runs each test file that its parent names, until it gets an empty name. */
import { join } from 'node:path';

const shared = globalThis as unknown as {
  UVU_DEFER: number;
  UVU_QUEUE: [null, ...(() => Promise<SuiteResult>)[]][];
};
shared.UVU_DEFER = 1;
const { exec } = await import('uvu');

/** What a suite of uvu returns: its errors, or true if there are none. */
type SuiteResult = [errors: string | true, passed: number, skipped: number, total: number];

/**
 * Counts the tests that did not pass. uvu ends a suite without an error if it cannot print one, such as a Refusal, whose
 * details are no text.
 */
let failed = 0;
const countFailed = (run: () => Promise<SuiteResult>) => async () => {
  const result = await run();
  failed += result[3] - result[1];
  return result;
};

process.on('message', async (name: string) => {
  if (name === '') process.exit();
  shared.UVU_QUEUE = [[null]];
  process.exitCode = 0;
  failed = 0;
  let code: number;
  try {
    await import(join(import.meta.dirname, '..', 'tests', name));
    shared.UVU_QUEUE = shared.UVU_QUEUE.map(([title, ...runs]) => [title, ...runs.map(countFailed)]);
    await exec();
    code = failed > 0 ? 1 : Number(process.exitCode);
  } catch (error) {
    console.error(error);
    code = 1;
  }
  // Output may arrive after the message, so a NUL marks the end of each stream.
  process.stdout.write('\0', () => process.stderr.write('\0', () => process.send!({ code })));
});
process.on('disconnect', () => process.exit());
