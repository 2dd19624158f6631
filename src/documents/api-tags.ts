import type { Operation } from '../kernel/operation.ts';
import { tagTexts } from './openapi.ts';
import type { DocumentService } from './service.ts';

/** Groups the operations of the contract by tag, in the order of the tags. */
export function groupByTag({ operations }: DocumentService): Map<string, Operation[]> {
  const groups = Map.groupBy(
    operations.filter(({ listed }) => listed),
    ({ contract }) => contract.tag,
  );
  const tags = Object.keys(tagTexts).filter((tag) => groups.has(tag));
  return new Map(tags.map((tag) => [tag, groups.get(tag)!]));
}

/** Returns the parts of the reference, one for each tag of the contract. */
export const listParts = (service: DocumentService): string[] => [...groupByTag(service).keys()];

/** Returns the address of a part of the reference. */
export const formatPartPath = (tag: string): string => `/api/${tag}.md`;
