import type { Operation } from '../../core/operation.ts';
import { toFacePath } from '../../core/router.ts';
import type { Service } from '../../core/service.ts';

/** A file that the build writes by replaying the core, and the addresses that are answered from it. */
export interface FrozenFile {
  /** Path below the origin, with a suffix: `/pricing.json`. */
  file: string;
  /** `/pricing.json`, and for JSON also `/pricing`. */
  addresses: string[];
  operation: Operation;
}

const hasSuffix = (path: string) => /\.(json|txt|xml|md)$/.test(path);

/** Every file that never changes, by the table. */
export function toFrozenFiles(service: Service): FrozenFile[] {
  return service.operations.flatMap((operation) =>
    (operation.frozen?.(service) ?? []).flatMap((path): FrozenFile[] => {
      if (hasSuffix(path)) return [{ file: path, addresses: [path], operation }];
      const json = toFacePath(path, 'json');
      const markdown = toFacePath(path, 'md');
      return [
        { file: json, addresses: path === '/' ? [json] : [path, json], operation },
        ...(operation.markdown ? [{ file: markdown, addresses: [markdown], operation }] : []),
      ];
    }),
  );
}
