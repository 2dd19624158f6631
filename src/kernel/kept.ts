import type { Operation } from './operation.ts';

/**
 * Answers that are kept by what was asked, the least recently asked forgotten first; a host bounds their bytes. After
 * `ms` milliseconds, where they are given, an answer is forgotten in any case.
 */
export interface Kept {
  get(key: string): unknown;
  set(key: string, value: unknown, bytes: number, ms?: number): void;
  /**
   * What is kept under a key, or else what `make` makes: that is kept, with a mark, where `toBytes` says what it takes
   * and the key was asked for lately.
   */
  keep<T extends { isKept?: boolean }>(
    key: string,
    make: () => T | Promise<T>,
    toBytes: (made: T) => number | undefined,
  ): T | Promise<T>;
}

declare module './service.ts' {
  interface Service {
    /** Absent where nothing is kept: in a browser, and while the service is built. */
    kept?: Kept;
  }
}

/** Whether what a caller without a workspace is answered depends on nothing but what is asked, while a process lives. */
export const isSteady = ({ effect, cache }: Operation) =>
  effect === 'read' && (cache === 'public' || cache === 'record');
