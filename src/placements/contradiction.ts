import { fallOffReasons, type PlacementRecord, type Statement } from './placement-record.ts';
import { isWithinGuarantee, readEnd, readValidateBy } from './status.ts';

/** What of a statement is compared with the records. */
type ComparedStatement = Pick<Statement, 'result' | 'asOf' | 'wroteEnd'>;

interface Contradiction {
  /** The member of the statement at fault. */
  path: 'result' | 'asOf';
  message: string;
}

const contradict = (path: Contradiction['path'], message: string): Contradiction => ({ path, message });

const isFallOff = (reason: string): boolean => (fallOffReasons as readonly string[]).includes(reason);

/** Returns how a statement contradicts the recorded end of a placement, if it does. */
function findContradictionOfEnd(record: PlacementRecord, { result, asOf }: ComparedStatement) {
  const end = readEnd(record)!;
  const { endDate, endReason } = end;
  const how = `the placement ended on ${endDate}, ${endReason}`;
  if (endReason === 'cancelled') return contradict('result', `${how}: it has no outcome to state`);
  if (result === 'retained')
    return asOf > endDate ? contradict('asOf', `${how}; send a day no later than that`) : undefined;
  if (result === 'attrited') {
    if (!isFallOff(endReason)) return contradict('result', `${how}, which is no fall-off`);
    if (isWithinGuarantee(record, end)) return undefined;
    return contradict('result', `${how}, after the guarantee, which ended on ${readValidateBy(record)}`);
  }
  if (result === endReason) return undefined;
  return contradict('result', `${how}; correct that first, with endReason ${result}`);
}

/**
 * Returns how a statement contradicts the records of a placement, or undefined if it agrees. A stated fall-off agrees if
 * no end is recorded, because it writes the end, and with the end that it wrote.
 */
export function findContradiction(
  record: PlacementRecord,
  statement: ComparedStatement,
): Contradiction | undefined {
  const { result, asOf, wroteEnd } = statement;
  if (wroteEnd) return undefined;
  const { endDate, plannedEndDate } = record;
  if (endDate !== undefined) return findContradictionOfEnd(record, statement);
  if (result === 'retained' && plannedEndDate !== undefined && asOf > plannedEndDate)
    return contradict('asOf', `the planned end was ${plannedEndDate}; send a day no later than that`);
  if (result !== 'finished') return undefined;
  if (plannedEndDate === undefined)
    return contradict('result', 'no planned end is known; end it first, with endDate and endReason finished');
  return asOf < plannedEndDate
    ? contradict('result', `the work is planned until ${plannedEndDate}; end it first if it finished before`)
    : undefined;
}
