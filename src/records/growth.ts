import type { Growth, GrowthSource, Service } from '../kernel/service.ts';

/**
 * Asks the host whether a change may make the store larger. Pass `admit` to the change, and call `settle` once the change
 * is durable: only then do its bytes count.
 */
export function watchGrowth({ watch }: Pick<Service, 'watch'>, source: GrowthSource) {
  let count: (() => void) | undefined;
  return {
    admit(growth: Growth): void {
      count = watch.admitGrowth?.(growth, source);
    },
    finish: () => count?.(),
  };
}
