/** Opens the store in FOLDER, and kills this process after STEPS steps that can change a file. */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { DatabaseSync, StatementSync } from 'node:sqlite';

const [dataDir, steps] = process.argv.slice(2);
let left = Number(steps);

/** Kills this process after a call of a method, if that was the last of the allowed steps. */
function killAfterCalls<T extends object>(owner: T, method: keyof T): void {
  const run = owner[method] as (...values: unknown[]) => unknown;
  const counted = function (this: unknown, ...values: unknown[]) {
    const result = run.apply(this, values);
    left -= 1;
    if (left === 0) process.kill(process.pid, 'SIGKILL');
    return result;
  };
  owner[method] = counted as T[keyof T];
}

for (const method of ['copyFileSync', 'chmodSync', 'linkSync', 'renameSync', 'rmSync', 'fsyncSync'] as const)
  killAfterCalls(fs, method);
killAfterCalls(DatabaseSync.prototype, 'exec');
killAfterCalls(DatabaseSync.prototype, 'close');
killAfterCalls(StatementSync.prototype, 'run');
syncBuiltinESMExports();

const { openStore } = await import('../../src/stores/open-store.ts');
await (await openStore({ url: '', dataDir: dataDir! })).close();
