import { hash, randomBytes } from 'node:crypto';
import type { Platform } from '../core/service.ts';

/** What the core asks of a machine, by Node. */
export const nodePlatform: Platform = {
  now: Date.now,
  randomBytes,
  sha256: (text) => hash('sha256', text),
};
