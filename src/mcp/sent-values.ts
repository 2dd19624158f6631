import type * as v from 'valibot';
import { parseJson } from '../kernel/parse-json.ts';
import { unwrap } from '../kernel/shape.ts';

const encoder = new TextEncoder();

/** Parses a text that is an array or object in JSON, and returns any other as it is. Throws a Refusal if it is too large. */
export function readJsonText(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return text;
  try {
    return parseJson(encoder.encode(text));
  } catch (error) {
    if (error instanceof SyntaxError) return text;
    throw error;
  }
}

/** Returns `params.arguments` of a call, which some clients send as JSON text. null and "" count as absent. */
export function parseArguments(sent: unknown): unknown {
  if (sent === undefined || sent === null || sent === '') return {};
  return typeof sent === 'string' ? readJsonText(sent) : sent;
}

/** Whether a schema accepts only texts. A text may be one of fixed values. */
export function isTextSchema(schema: v.GenericSchema): boolean {
  const shape = unwrap(schema);
  const { options = [] } = shape as { options?: readonly unknown[] };
  if (shape.type === 'union') return options.every((option) => isTextSchema(option as v.GenericSchema));
  const isChoice = shape.type === 'picklist' && options.every((option) => typeof option === 'string');
  return shape.type === 'string' || isChoice;
}

/**
 * Returns a number or a boolean as text, and any other value as it is. A whole number beyond 2^53 stays a number, because
 * its last digits are lost.
 */
export function toText(value: unknown): unknown {
  const isExact = typeof value === 'number' && (!Number.isInteger(value) || Number.isSafeInteger(value));
  return isExact || typeof value === 'boolean' ? String(value) : value;
}

/** Returns an array of texts, or one that is sent as JSON text. Returns undefined for anything else. */
export function readTexts(sent: unknown): string[] | undefined {
  const value = typeof sent === 'string' ? readJsonText(sent) : sent;
  const texts = Array.isArray(value) ? value.map(toText) : [];
  return texts.length > 0 && texts.every((text) => typeof text === 'string') ? texts : undefined;
}
