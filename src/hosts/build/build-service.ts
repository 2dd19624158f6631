import { createHash, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { createService, type Service } from '../../core/service.ts';
import { operations } from '../../operations/table.ts';
import { openSqliteStore } from '../../stores/sqlite.ts';
import { readContent } from './read-content.ts';

/** The operationIds that a rate card may name. */
export const legalOperations = operations
  .filter(({ listed }) => listed)
  .map(({ operationId }) => operationId);

let made: Service | undefined;

/**
 * The service as the build and the development server see it: content read from disk, workspaces in
 * memory. Made once a process. `BASE_URL` and `STATIC_ONLY` are read from the environment.
 */
export function buildService(): Service {
  made ??= createService({
    operations,
    catalogue: readContent(join(process.cwd(), 'content'), legalOperations),
    store: openSqliteStore(':memory:'),
    settings: {
      baseUrl: process.env.BASE_URL ?? 'http://localhost:4321',
      retentionSeconds: 86_400,
      recordCeiling: 1000,
      contact: process.env.CONTACT,
      allowedOrigins: [],
      declareTestSuite: process.env.DECLARE_TEST_SUITE === '1',
      live: process.env.STATIC_ONLY !== '1',
    },
    platform: {
      now: Date.now,
      randomBytes,
      sha256: (text) => createHash('sha256').update(text).digest('hex'),
    },
  });
  return made;
}
