import * as v from 'valibot';
import { okSchema } from './envelope.ts';
import { defineOperation, type Operation, type OperationContext } from './operation.ts';
import type { KernelService } from './service.ts';

/** A paper with its values. Throws where a place has none. */
export const fill = (
  { catalogue }: KernelService,
  paper: string,
  values: Readonly<Record<string, unknown>> = {},
) =>
  catalogue.papers[paper]!.replace(/\{\{(\w+)\}\}/g, (_, name: string) => {
    if (values[name] === undefined) throw new Error(`the paper ${paper} lacks a value for ${name}`);
    return String(values[name]);
  });

/** A document that is the same for everybody. */
export type DocumentRow<S extends KernelService = KernelService> = Pick<
  Operation,
  'operationId' | 'path' | 'summary' | 'description'
> &
  Partial<
    Pick<Operation, 'tag' | 'listed' | 'tool' | 'markdown' | 'page' | 'atStart' | 'enveloped' | 'cache'>
  > & {
    /** What is in the OK envelope of a document of our own. */
    members?: v.ObjectEntries;
    /** The whole body, where it is not an envelope with members. */
    schema?: v.GenericSchema;
    /** Media type with charset; JSON unless said. */
    type?: string;
    headers?: Record<string, string>;
    /** Its own path, unless said. */
    frozen?: Operation['frozen'];
    /** What the contract shows, where that is not the document itself. */
    example?(service: S): unknown;
    /** Answers undefined where the operator's settings leave the document out: a 404. */
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

/** A document that is not in the contract. It is made when a server starts, unless the row says otherwise. */
export const defineUnlisted = <S extends KernelService = KernelService>(row: DocumentRow<S>) =>
  defineDocument({ listed: false, atStart: true, ...row });
