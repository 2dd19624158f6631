import type { Growth, GrowthSource } from '../kernel/service.ts';
import type { RecordService } from './service.ts';

/**
 * Asks the host whether a change may make the store larger. Pass `admit` to the change. Call `finish` once the
 * change is durable, because only then do its bytes count.
 */
export function watchGrowth({ watch }: Pick<RecordService, 'watch'>, source: GrowthSource) {
  let countGrowth: (() => void) | undefined;
  return {
    admit(growth: Growth): void {
      countGrowth = watch.admitGrowth?.(growth, source);
    },
    finish: () => countGrowth?.(),
  };
}
