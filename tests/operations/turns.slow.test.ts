import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Row, walkTable } from '../../scripts/soak/turns.ts';
import { operations } from '../../src/table.ts';

const walk = suite('the largest inputs of each operation');

walk('are answered, or refused with a time to retry, and leave no operation out', async () => {
  const rows: Row[] = [];
  await walkTable({ large: 20, seconds: 0.02, isShort: true }, (row) => rows.push(row));
  for (const { operationId } of operations)
    assert.ok(
      rows.some(({ operation }) => operation === operationId),
      `${operationId} was not called`,
    );
  for (const { operation, statuses } of rows)
    for (const status of Object.keys(statuses)) assert.match(status, /^[234]\d\d|^503$/, operation);
});

walk.run();
