import { type Finding, limitIssues, pickRefusable, pickWarnings, type Warning } from './envelope.ts';
import { unwrapJson } from './json.ts';
import type { OperationContext, OperationReply } from './operation.ts';
import { Refusal } from './refusal.ts';

/** Returns a reply with warnings in its body, if its body is an envelope. */
export function withWarnings(outcome: OperationReply, findings: readonly Finding[]): OperationReply {
  if (findings.length === 0) return outcome;
  const body = unwrapJson(outcome.body) as { type?: string; warnings?: Warning[] };
  if (typeof body !== 'object' || !('type' in body)) return outcome;
  const { type, warnings: before = [], ...rest } = body;
  return {
    ...outcome,
    body: { type, warnings: limitIssues([...before, ...pickWarnings(findings)]), ...rest },
  };
}

/** Adds warnings to the answer. Refuses the call for them if the caller asks for strict handling. */
export function warnOrRefuse({ options, warnings }: OperationContext, findings: readonly Finding[]): void {
  if (findings.length === 0) return;
  const refusable = options.isStrict ? pickRefusable(findings) : [];
  if (refusable.length > 0) throw new Refusal('invalid_request', { issues: refusable });
  warnings.push(...pickWarnings(findings));
}
