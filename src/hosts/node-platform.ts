import { createHash, randomBytes } from 'node:crypto';
import type { Platform } from '../core/service.ts';

/** What the core asks of a machine, by Node. */
export const nodePlatform: Platform = {
  now: Date.now,
  randomBytes,
  sha256: (text) => createHash('sha256').update(text).digest('hex'),
};
