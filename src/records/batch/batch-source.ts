import { isObject } from '../../kernel/json.ts';
import { parseTime, toIsoDate } from '../../kernel/text.ts';
import { isExport } from '../account/export.ts';
import type { Context } from '../service.ts';

/** A page of an export. Its records have the statuses of the day of the export. */
export interface PageSource {
  from: 'import';
  day: string;
  /** The refs of records of other pages, by the ids that they were exported with. */
  refs: Readonly<Record<string, unknown>>;
}

/** Where records come from. */
export type Source = { from: 'one' | 'batch' } | PageSource;

/** A batch with the time of an export is a page of one. A time that is no day counts as today. */
export function readSource({ args, service }: Context): Source {
  if (!isExport(args)) return { from: 'batch' };
  const exportedAt = parseTime(args.exportedAt as string);
  const time = Number.isNaN(exportedAt) ? service.platform.now() : exportedAt;
  return { from: 'import', day: toIsoDate(time), refs: isObject(args.refs) ? args.refs : {} };
}
