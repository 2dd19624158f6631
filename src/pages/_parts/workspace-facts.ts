import { isImported, listColumnMembers } from '../../imports/columns.ts';
import { maxLimit } from '../../kernel/page.ts';
import { kinds } from '../../kinds.ts';
import { perCredit } from '../../records/account/workspace-state.ts';
import { remarkNames } from '../../records/activity/remark.ts';
import type { Kind } from '../../records/kind/kind.ts';
import type { ContractOperation, Field } from '../_scripts/contract.ts';
import { toFormField } from '../_scripts/form/form-field.ts';
import { service } from './ask.ts';
import { contractOperations, findField } from './contract.ts';
import { exampleDesk } from './example-desk.ts';

const operationOf = (operationId: string): ContractOperation =>
  contractOperations.find((row) => row.operationId === operationId)!;

/** Parameters of every list that the page does not offer as filters. */
const ownWay = ['status', 'scope', 'limit', 'cursor', 'spend', 'fields', 'sort'];

function describeKind(kind: Kind) {
  const { name, noun, plural, collection, path, prefix, references, texts, members } = kind;
  const { statuses, moves, hints = {}, details, options = {} } = kind.lifecycle;
  // A move has a button of its own.
  const isMember = ({ place, name }: Field) => place === 'body' && name !== 'status';
  const moving = Object.keys(details?.entries ?? {});
  const changed = operationOf(texts.update.operationId).fields;
  const listed = operationOf(texts.list.operationId).fields;
  return {
    ...{ name, noun, plural, collection, path, prefix, stuck: hints, references, statuses },
    moves: moves.map(({ from, to, takes = [] }) => ({ from, to, takes })),
    fields: operationOf(texts.create.operationId).fields.filter(isMember).map(toFormField),
    moving: changed
      .filter((field) => moving.includes(field.name))
      .map((field) => ({ ...toFormField(field), required: true })),
    /** Fields that say why a record changes, and from which day that counts. */
    remarks: changed
      .filter((field) => remarkNames.some((name) => name === field.name))
      .map((field) => toFormField(field)),
    /** Fields that say how a move to a status is made. */
    options: changed
      .filter((field) => Object.hasOwn(options, field.name))
      .map((field) => ({ to: options[field.name]!.to, field: toFormField(field) })),
    /** What the columns of a file can mean. */
    importable: isImported(kind) ? listColumnMembers(kind) : [],
    columns: Object.entries(members)
      .flatMap(([member, { column }]) => (column ? [{ member, ...column }] : []))
      .sort((a, b) => Number(b.isName ?? false) - Number(a.isName ?? false)),
    filters: listed.filter(({ place, name }) => place === 'query' && !ownWay.includes(name)).map(toFormField),
  };
}

/** The data that the build gives the page of a workspace. */
export const workspaceFacts = {
  kinds: kinds.map(describeKind),
  outcome: operationOf('stateOutcome')
    .fields.filter(({ place }) => place === 'body')
    .map(toFormField),
  parties: operationOf('requestConfirmation').fields.flatMap(({ schema }) => (schema.enum as string[]) ?? []),
  points: service.catalogue.matching.points,
  credit: perCredit,
  /** How many records of each kind the live desk has. */
  liveDesk: {
    candidates: exampleDesk.candidates.length,
    jobOrders: exampleDesk.jobOrders.length,
    placements: exampleDesk.placements.length,
  },
  /** Rows of a list at most. */
  maxLimit,
  /** What an owner may authorise a month. */
  sharing: ['reviewer', 'anonymous'].map((name) => findField('createShortlist', name)),
  ceiling: findField('authorizeSpend', 'ceiling'),
  rates: Object.fromEntries(
    [...service.meter.rates].map(([operation, { included }]) => {
      const { summary } = operationOf(operation);
      return [operation, { summary, ...(Number.isFinite(included) && { included }) }];
    }),
  ),
};
