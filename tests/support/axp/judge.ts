import { behaviourRows } from './behaviour-rows.ts';
import { homeRows } from './home-rows.ts';
import { honesty } from './honesty.ts';
import { points } from './points.ts';
import type { Row } from './row.ts';
import { suiteRows } from './suite-rows.ts';
import { surfaceRows } from './surface-rows.ts';

/** The rows of apis-ax-axp@2.6.0. */
export const pinnedRows: readonly Row[] = [...surfaceRows, ...homeRows, ...suiteRows, ...behaviourRows];

/** Everything that a running origin is judged by. The checks of the whole run come last. */
export const allRows: readonly Row[] = [
  ...pinnedRows,
  ...points.map((row) => ({ ...row, id: `AX: ${row.id}` })),
  ...honesty.map((row) => ({ ...row, id: `honesty: ${row.id}` })),
];
