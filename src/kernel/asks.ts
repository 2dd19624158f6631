import { type Call, headerOf } from './call.ts';
import type { Operation } from './operation.ts';

/** What a caller asks for beside the arguments, by whichever door. */
export interface Asks {
  /** The id that it shows of a workspace. */
  workspaceId?: string | undefined;
  /** The token of an Authorization field (RFC 6750 section 2.1). */
  bearer?: string | undefined;
  /** What it shows where the operation asks for a capability. */
  capability?: string | undefined;
  /** `Prefer: handling=strict`: what would be warned of is refused. */
  isStrict: boolean;
  /** An Idempotency-Key. */
  key?: string | undefined;
  /** An If-Match field: the entity tags of which a change wants to find one. */
  ifMatch?: string | undefined;
  /** An If-None-Match field of a read: the entity tags of what the caller has. */
  ifNoneMatch?: string | undefined;
  /** The revision that a change wants to find. */
  revision?: number | undefined;
}

/** Whether a Prefer field asks for strict handling; of one preference the first counts (RFC 7240 sections 2 and 4.4). */
function isStrict(field: string | string[] | undefined): boolean {
  if (field === undefined) return false;
  const preferences = String(field).slice(0, 1000).toLowerCase().split(/[,;]/);
  const first = preferences.find((one) => /^\s*handling\s*=/.test(one));
  return first !== undefined && /=\s*"?strict"?\s*$/.test(first);
}

/** The token of a field `Bearer …`; undefined for another scheme. */
const toBearer = (field: string | undefined) => /^bearer +([\w.~+/=-]+)$/i.exec(field?.trim() ?? '')?.[1];

/** What an HTTP request asks for in its headers. */
export function toAsks(call: Call, { capability }: Pick<Operation, 'capability'> = {}): Asks {
  const isRead = call.method === 'GET' || call.method === 'HEAD';
  return {
    ...(capability && { capability: headerOf(call, capability.header.toLowerCase()) }),
    workspaceId: headerOf(call, 'x-workspace'),
    bearer: toBearer(headerOf(call, 'authorization')),
    isStrict: isStrict(call.headers.prefer),
    key: headerOf(call, 'idempotency-key'),
    ifMatch: headerOf(call, 'if-match'),
    ...(isRead && { ifNoneMatch: headerOf(call, 'if-none-match') }),
  };
}
