/** Version, trace id, parent id and flags; a version after 00 may say more behind them. A comma joins two fields. */
const shape = /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(-[^,]*)?$/;

/** The trace id of a traceparent field (W3C Trace Context, section 3.2); undefined where it is not well-formed. */
export function toTraceId(field: string | string[] | undefined): string | undefined {
  if (typeof field !== 'string') return undefined;
  const [, version, traceId, more] = shape.exec(field) ?? [];
  return version === '00' && more !== undefined ? undefined : traceId;
}
