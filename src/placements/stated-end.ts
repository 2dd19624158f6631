import type { PlacementRecord } from './placement-record.ts';

/** Returns a placement with the end that a stated fall-off makes, if no end is recorded. The statement remembers it. */
export function writeStatedEnd(record: PlacementRecord): PlacementRecord {
  const { evidence, endDate } = record;
  const { stated } = evidence ?? {};
  if (stated?.result !== 'attrited' || endDate !== undefined) return record;
  return {
    ...record,
    endDate: stated.asOf,
    endReason: stated.endReason ?? 'other',
    evidence: { ...evidence, stated: { ...stated, wroteEnd: true } },
  };
}

/** Returns a placement without its end, if its statement wrote that. */
export function withoutStatedEnd(record: PlacementRecord): PlacementRecord {
  if (!record.evidence?.stated?.wroteEnd) return record;
  const { endDate: _, endReason: __, ...rest } = record;
  return rest as PlacementRecord;
}

/** Returns a placement whose end is recorded by its owner, and no longer that of its statement. */
export function keepEnd(record: PlacementRecord): PlacementRecord {
  const { evidence } = record;
  if (!evidence?.stated?.wroteEnd) return record;
  const { wroteEnd: _, ...stated } = evidence.stated;
  return { ...record, evidence: { ...evidence, stated } };
}
