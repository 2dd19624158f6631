import type { Kind } from '../../records/kind.ts';
import { kinds } from '../../records/kinds.ts';
import { perCredit } from '../../records/workspace-state.ts';
import type { ContractOperation, Field, Schema } from '../_scripts/contract.ts';
import type { FieldFacts, KindFacts, PageFacts } from '../_scripts/workspace-page/facts.ts';
import { service } from './ask.ts';
import { contractOperations } from './contract.ts';
import { pricedRates } from './rates.ts';

const operationOf = (operationId: string): ContractOperation =>
  contractOperations.find((row) => row.operationId === operationId)!;

/** `jobOrderId` as `Job order id`. */
function toTitle(name: string): string {
  const words = name.replace(/(?!^)[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words[0]!.toUpperCase() + words.slice(1);
}

function toType({ type, enum: choices, items, format }: Schema & { format?: string }): FieldFacts['type'] {
  if (choices) return 'choice';
  if (items) return 'list';
  if (type === 'number' || type === 'integer') return 'number';
  return format === 'date' ? 'date' : 'text';
}

/** A schema without the null that takes a member away. */
function withoutNull({ type, enum: choices, ...schema }: Schema): Schema {
  const own = Array.isArray(type) ? type.find((one) => one !== 'null') : type;
  const values = choices?.filter((one) => one !== null);
  return { ...schema, ...(own !== undefined && { type: own }), ...(values && { enum: values }) };
}

/** A field of the contract as a form for people has it; a member that null takes away is told by what else it may be. */
function toField({ name, required, schema: whole, description }: Field): FieldFacts {
  const schema = withoutNull(whole.anyOf?.find(({ type }) => type !== 'null') ?? whole);
  const { enum: choices, maxLength, minimum, maximum, exclusiveMinimum, type } = schema;
  const min = minimum ?? exclusiveMinimum;
  return {
    name,
    title: schema.title ?? toTitle(name),
    hint: description.replaceAll('`', ''),
    type: toType(schema),
    required,
    ...(choices && { choices: choices as string[] }),
    ...(maxLength !== undefined && { maxLength }),
    ...(min !== undefined && { min }),
    ...(maximum !== undefined && { max: maximum }),
    ...(type === 'integer' && { whole: true }),
  };
}

/** What every list can be asked, that the page asks in its own way. */
const ownWay = ['status', 'scope', 'limit', 'cursor', 'spend'];

function toKindFacts(kind: Kind): KindFacts {
  const { name, noun, plural, collection, path, prefix, statuses, moves, stuck, references, texts } = kind;
  const inBody = ({ place }: { place: string }) => place === 'body';
  const moving = Object.keys(kind.moving?.entries ?? {});
  const changed = operationOf(texts.update.operationId).fields;
  const listed = operationOf(texts.list.operationId).fields;
  return {
    ...{ name, noun, plural, collection, path, prefix, stuck: stuck ?? {}, references },
    statuses: [...statuses],
    moves: moves.map(({ from, to }) => ({ from: [...from], to })),
    fields: operationOf(texts.create.operationId).fields.filter(inBody).map(toField),
    moving: changed
      .filter((field) => moving.includes(field.name))
      .map((field) => ({ ...toField(field), required: true })),
    filters: listed.filter(({ place, name }) => place === 'query' && !ownWay.includes(name)).map(toField),
  };
}

const { matching } = service.catalogue;

/** All that the page of a workspace is told by the build. */
export const workspaceFacts: PageFacts = {
  kinds: kinds.map(toKindFacts),
  outcome: operationOf('stateOutcome')
    .fields.filter(({ place }) => place === 'body')
    .map(toField),
  parties: operationOf('requestConfirmation').fields.flatMap(({ schema }) => (schema.enum as string[]) ?? []),
  points: matching.points,
  credit: perCredit,
  rates: Object.fromEntries(
    pricedRates.map(([operation, { included }]) => {
      const { summary } = operationOf(operation);
      return [operation, { summary, ...(Number.isFinite(included) && { included }) }];
    }),
  ),
  sample: {
    candidates: [
      {
        ref: 'ada',
        name: 'Ada Example',
        onetCode: '15-1252.00',
        skills: ['TypeScript', 'SQL'],
        metro: 'Columbus, OH',
      },
      {
        ref: 'grace',
        name: 'Grace Example',
        onetCode: '15-1254.00',
        skills: ['TypeScript', 'React'],
        metro: 'Cleveland, OH',
      },
    ],
    jobOrders: [
      {
        ref: 'developer',
        client: 'Example Works (fictional)',
        title: 'Software Developer',
        onetCode: '15-1252.00',
        billRateUsdHour: 95,
        skills: ['TypeScript', 'SQL'],
        metro: 'Columbus, OH',
      },
      {
        ref: 'web',
        client: 'Example Press (fictional)',
        title: 'Web Developer',
        onetCode: '15-1254.00',
        skills: ['TypeScript'],
        metro: 'Columbus, OH',
      },
    ],
    placements: [
      {
        candidateId: '#ada',
        jobOrderId: '#developer',
        onetCode: '15-1252.00',
        startDate: '-86',
        feeModel: 'contract-to-hire',
      },
    ],
  },
};
