import * as v from 'valibot';
import { okSchema } from './envelope.ts';
import { type Caching, type Contract, defineOperation, type Operation } from './operation.ts';
import type { Service } from './service.ts';

/** A paper with its values. Throws where a place has none. */
export const fill = ({ catalogue }: Service, paper: string, values: Readonly<Record<string, unknown>> = {}) =>
  catalogue.papers[paper]!.replace(/\{\{(\w+)\}\}/g, (_, name: string) => {
    if (values[name] === undefined) throw new Error(`the paper ${paper} lacks a value for ${name}`);
    return String(values[name]);
  });

interface DocumentContract
  extends Pick<Contract, 'summary' | 'description' | 'enveloped'>,
    Partial<Pick<Contract, 'tag'>> {
  /** What is in the OK envelope of a document of our own. */
  members?: v.ObjectEntries;
  /** The whole body, where it is not an envelope with members. */
  schema?: v.GenericSchema;
  /** What the contract shows, where that is not the document itself. */
  example?: (service: Service) => unknown;
}

/** A document that is the same for everybody. */
export interface DocumentRow
  extends Pick<Operation, 'operationId' | 'path'>,
    Partial<Pick<Operation, 'listed' | 'tool' | 'markdown' | 'page'>> {
  contract: DocumentContract;
  /** Public, and frozen at its own path, unless said. */
  caching?: Partial<Caching>;
  /** Media type with charset; JSON unless said. */
  type?: string;
  headers?: Record<string, string>;
  /** Answers undefined where the operator's settings leave the document out: a 404. */
  make(service: Service): object | string | undefined | Promise<object | string | undefined>;
}

/** A row of a document, with its contract: a browser has documents as the build froze them. */
export function defineDocument({
  make,
  type,
  headers,
  contract,
  tool,
  caching,
  ...rest
}: DocumentRow): Operation {
  const { members, schema, example, ...words } = contract;
  const enveloped = words.enveloped ?? members !== undefined;
  const row = defineOperation({
    ...rest,
    method: 'GET',
    caching: { rule: 'public', frozen: () => [rest.path], ignoresQuery: !enveloped, ...caching },
    async run(_, { service }) {
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

/** A document that is not in the contract. It is made when a server starts, unless the row says otherwise. */
export const defineUnlisted = ({ caching, ...row }: DocumentRow) =>
  defineDocument({ listed: false, caching: { atStart: true, ...caching }, ...row });
