import * as v from 'valibot';
import { okSchema } from './envelope.ts';
import {
  type Caching,
  type Contract,
  defineOperation,
  type Operation,
  type OperationContext,
} from './operation.ts';
import type { KernelService } from './service.ts';

/** Fills the places `{{name}}` of a paper. Throws if a place has no value. */
export const fill = (
  { catalogue }: KernelService,
  paper: string,
  values: Readonly<Record<string, unknown>> = {},
) =>
  catalogue.papers[paper]!.replace(/\{\{(\w+)\}\}/g, (_, name: string) => {
    if (values[name] === undefined) throw new Error(`the paper ${paper} lacks a value for ${name}`);
    return String(values[name]);
  });

interface DocumentContract<S extends KernelService>
  extends Pick<Contract, 'summary' | 'description' | 'enveloped'>,
    Partial<Pick<Contract, 'tag'>> {
  /** The members of the OK envelope, for a document in our own format. */
  members?: v.ObjectEntries;
  /** The schema of the whole body, if the body is not an envelope with members. */
  schema?: v.GenericSchema;
  /** The example in the contract, if it is not the document itself. */
  example?(service: S): unknown;
}

/** A document that is the same for all callers. */
export interface DocumentRow<S extends KernelService = KernelService>
  extends Pick<Operation, 'operationId' | 'path'>,
    Partial<Pick<Operation, 'listed' | 'tool' | 'markdown' | 'page'>> {
  contract: DocumentContract<S>;
  /** By default public, and frozen at the document's own path. */
  caching?: Partial<Caching>;
  /** Media type with charset. JSON by default. */
  type?: string;
  headers?: Record<string, string>;
  /** Returns undefined if the operator's settings leave the document out. The reply is then a 404. */
  make(service: S): object | string | undefined | Promise<object | string | undefined>;
}

/** Defines the row of a document, with its contract. A browser has documents as the build froze them. */
export function defineDocument<S extends KernelService = KernelService>({
  make,
  type,
  headers,
  contract,
  tool,
  caching,
  ...rest
}: DocumentRow<S>): Operation {
  const { members, schema, example, ...words } = contract;
  const enveloped = words.enveloped ?? members !== undefined;
  const row = defineOperation({
    ...rest,
    method: 'GET',
    caching: { rule: 'public', frozen: () => [rest.path], ignoresQuery: !enveloped, ...caching },
    async run(_, { service }: OperationContext<S>) {
      const body = await make(service);
      if (body !== undefined) return { status: 200, body, type, headers };
      const message = 'The operator of this service has not published this document.';
      return { status: 404, body: { type: 'EMPTY', message } };
    },
  });
  const reply = {
    description: words.summary,
    schema: schema ?? (members ? okSchema(members) : v.looseObject({})),
    ...(type && { type: type.split(';')[0] }),
    example: example ?? make,
  };
  return {
    ...row,
    contract: { tag: 'discovery', ...words, enveloped, replies: { 200: reply } },
    ...(tool && { tool }),
  };
}

/** Defines a document that is not in the contract. By default it is made when a server starts. */
export const defineUnlisted = <S extends KernelService = KernelService>({
  caching,
  ...row
}: DocumentRow<S>) => defineDocument({ listed: false, caching: { atStart: true, ...caching }, ...row });
