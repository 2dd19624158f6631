import * as v from 'valibot';
import { okSchema } from './envelope.ts';
import { defineOperation, type Operation, type OperationContext } from './operation.ts';
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

/** A document that is the same for all callers. */
export type DocumentRow<S extends KernelService = KernelService> = Pick<
  Operation,
  'operationId' | 'path' | 'summary' | 'description'
> &
  Partial<
    Pick<Operation, 'tag' | 'listed' | 'tool' | 'markdown' | 'page' | 'atStart' | 'enveloped' | 'cache'>
  > & {
    /** The members of the OK envelope, for a document in our own format. */
    members?: v.ObjectEntries;
    /** The schema of the whole body, if the body is not an envelope with members. */
    schema?: v.GenericSchema;
    /** Media type with charset. JSON by default. */
    type?: string;
    headers?: Record<string, string>;
    /** The document's own path by default. */
    frozen?: Operation['frozen'];
    /** The example in the contract, if it is not the document itself. */
    example?(service: S): unknown;
    /** Returns undefined if the operator's settings leave the document out. The reply is then a 404. */
    make(service: S): object | string | undefined | Promise<object | string | undefined>;
  };

export function defineDocument<S extends KernelService = KernelService>({
  make,
  type,
  headers,
  members,
  schema,
  example,
  ...texts
}: DocumentRow<S>) {
  const isEnveloped = texts.enveloped ?? members !== undefined;
  return defineOperation({
    tag: 'discovery',
    cache: 'public',
    frozen: () => [texts.path],
    ...texts,
    enveloped: isEnveloped,
    ignoresQuery: !isEnveloped,
    method: 'GET',
    replies: {
      200: {
        description: texts.summary,
        schema: schema ?? (members ? okSchema(members) : v.looseObject({})),
        ...(type && { type: type.split(';')[0] }),
        example: example ?? make,
      },
    },
    async run(_, { service }: OperationContext<S>) {
      const body = await make(service);
      if (body !== undefined) return { status: 200, body, type, headers };
      const message = 'The operator of this service has not published this document.';
      return { status: 404, body: { type: 'EMPTY', message } };
    },
  });
}

/** Defines a document that is not in the contract. By default it is made when a server starts. */
export const defineUnlisted = <S extends KernelService = KernelService>(row: DocumentRow<S>) =>
  defineDocument({ listed: false, atStart: true, ...row });
