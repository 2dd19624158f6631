import type { Growth, GrowthSource } from '../kernel/service.ts';
import type { RecordService } from './service.ts';

/**
 * Asks the host whether a change may make the store larger. Pass `admit` to the change, and call `settle` once the change
 * is durable: only then do its bytes count.
 */
export function watchGrowth({ watch }: Pick<RecordService, 'watch'>, source: GrowthSource) {
  let count: (() => void) | undefined;
  return {
    admit(growth: Growth): void {
      count = watch.admitGrowth?.(growth, source);
    },
    finish: () => count?.(),
  };
}
