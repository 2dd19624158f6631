import { createOpenApi } from '../../documents/openapi.ts';
import type { Operation } from '../../kernel/operation.ts';
import {
  type ContractOperation,
  listOperations,
  type PageContract,
  type Schema,
  workspaceHeader,
} from '../_scripts/contract.ts';
import { type FormField, toFormField } from '../_scripts/form/form-field.ts';
import type { ConsoleValues } from '../_scripts/request.ts';
import { service } from './ask.ts';

/** The contract that /openapi.json serves. */
export const contract = (await createOpenApi(service)) as PageContract;

const { schemas } = contract.components;

/** The schemas that a reader looks up: those with members. */
export const shapes = Object.fromEntries(Object.entries(schemas).filter(([, schema]) => schema.properties));

/** Replaces each reference to a schema without members by that schema. Only schemas with members have a section. */
export function inlinePlain(schema: Schema): Schema {
  const name = schema.$ref?.slice(schema.$ref.lastIndexOf('/') + 1);
  if (name !== undefined) return name in shapes ? schema : inlinePlain(schemas[name]!);
  const { items, anyOf, properties } = schema;
  return {
    ...schema,
    ...(items && { items: inlinePlain(items) }),
    ...(anyOf && { anyOf: anyOf.map(inlinePlain) }),
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([member, inner]) => [member, inlinePlain(inner)]),
      ),
    }),
  };
}

/** The operations of the contract, in its order. */
export const contractOperations = listOperations(contract);

/** A field of an operation, with its limits, as a form has it. */
export function findField(operationId: string, name: string): FormField {
  const { fields } = contractOperations.find((row) => row.operationId === operationId)!;
  return toFormField(fields.find((field) => field.name === name)!);
}

/** Every tag with its description and its operations. */
export const taggedOperations = contract.tags.map(({ name, description }) => ({
  name,
  description,
  operations: contractOperations.filter(({ tag }) => tag === name),
}));

function rowOf(operationId: string): Operation {
  return service.operations.find((row) => row.operationId === operationId)!;
}

/** Returns example values for an operation, from its sample. */
export function createExample({ operationId, method, path }: ContractOperation): ConsoleValues {
  const { id, ...args } = rowOf(operationId).contract.sample ?? {};
  const inPath: Record<string, string> = path.includes('{id}') ? { id: String(id) } : {};
  if (method === 'POST' || method === 'PATCH') {
    const isMember = id !== undefined && !path.includes('{id}');
    return { path: inPath, query: {}, header: {}, body: { ...args, ...(isMember && { id }) } };
  }
  const query = Object.fromEntries(Object.entries(args).map(([name, value]) => [name, String(value)]));
  return { path: inPath, query, header: {}, body: {} };
}

/** Returns the required headers of an operation, with placeholders for the caller's secrets. */
export function listSecretHeaders(operationId: string): Record<string, string> {
  const { workspace, capability } = rowOf(operationId).access;
  return {
    ...(workspace === 'required' && { [workspaceHeader]: 'ws_…' }),
    ...(capability && { [capability.header]: /[a-z]{2,3}_…/.exec(capability.hint)![0] }),
  };
}

export function isTool(operationId: string): boolean {
  return rowOf(operationId).tool !== undefined;
}
