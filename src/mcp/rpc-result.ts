import type { LogFields } from '../kernel/call.ts';
import type { Service } from '../kernel/service.ts';

/** The result of a request; `logFields` where it was more than a matter of this door. */
export interface RpcResult {
  /** What HTTP answers with to the same. */
  status: number;
  /** In JSON, followed by the brace that ends its response. */
  text: string;
  logFields?: LogFields;
  /** Whether others are answered with this very result. */
  isKept?: boolean;
}

/** The result that is kept of what was asked, or else that of `make`; where nothing is to be kept, `asked` is false or absent. */
export function keepResult(
  { kept }: Service,
  asked: readonly unknown[] | false | undefined,
  make: () => Promise<RpcResult>,
): RpcResult | Promise<RpcResult> {
  return asked && kept ? kept.keep(JSON.stringify(asked), make, ({ text }) => text.length) : make();
}
