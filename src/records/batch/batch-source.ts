import { isObject } from '../../kernel/json.ts';
import { parseTime, toIsoDate } from '../../kernel/text.ts';
import { isExport } from '../account/export.ts';
import type { Context } from '../service.ts';
import type { writeBatch } from '../write/create.ts';

/** A batch with the time of an export is a page of one. A time that is no day counts as today. */
export function readSource({ args, service }: Context): Parameters<typeof writeBatch>[0]['source'] {
  if (!isExport(args)) return { from: 'batch' };
  const exportedAt = parseTime(args.exportedAt as string);
  const time = Number.isNaN(exportedAt) ? service.platform.now() : exportedAt;
  return { from: 'import', day: toIsoDate(time), refs: isObject(args.refs) ? args.refs : {} };
}
