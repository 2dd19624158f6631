import * as v from 'valibot';
import {
  blocked,
  type Contracts,
  changed,
  emptyList,
  emptyRecord,
  ok,
  type Words,
} from '../kernel/contract.ts';
import { unwrapJson } from '../kernel/json.ts';
import type { Contract, ReplySpec } from '../kernel/operation.ts';
import { pageSchema } from '../kernel/page.ts';
import { offer, workspaceFull } from '../pricing/contract.ts';
import { createWorkspaceContracts } from './account/workspace-contract.ts';
import { createIdSchema, type Kind } from './kind/kind.ts';
import { listSeed } from './list/list.ts';
import type { RecordService } from './service.ts';
import { affectedEntries } from './write/affected.ts';
import { buildChangeExample, buildCreateExample } from './write/create-example.ts';
import { createdEntries, defaultsEntry, keptFor } from './write/created-entries.ts';

/** Returns what the contracts of operations on one record share. `replies` are added to the shared replies. */
export const createRecordContract = (
  { noun, collection, prefix }: Kind,
  replies: Record<number, ReplySpec>,
): Pick<Contract, 'tag' | 'idText' | 'replies'> => ({
  tag: collection,
  idText: `\`${prefix}…\` or \`#ref\`.`,
  replies: { 404: emptyRecord(`No ${noun} has this id in view.`), ...replies },
});

/**
 * Returns what the contracts of operations that write to one record share. `replies` are added to the shared
 * replies.
 */
export const createWriteContract = (kind: Kind, replies: Record<number, ReplySpec>) =>
  createRecordContract(kind, {
    403: blocked('read_only', 'The record belongs to the seed.'),
    412: changed,
    ...replies,
  });

/** Returns the description of an operation. If it is a tool, returns that of the tool too, with `more` after it. */
function pickTexts({ description, tool, isCore }: Kind['texts']['list'], more = '') {
  return { description, ...(tool && { tool: { description: tool + more, ...(isCore && { isCore }) } }) };
}

function describeList(kind: Kind): Words {
  const { collection, plural, record, lifecycle, texts, list } = kind;
  const { description, tool } = pickTexts(texts.list);
  const refusals: Contract['replies'] = list
    ? { 402: offer(list.offer.boundary, list.offer.description) }
    : {};
  return {
    description,
    ...(tool && { tool: { ...tool, unlisted: ['sort'] } }),
    tag: collection,
    summary: `List ${plural}`,
    sample: { status: lifecycle.statuses[0], limit: 5 },
    replies: {
      200: emptyList(
        `A page of ${plural}, or EMPTY where none match.`,
        pageSchema(collection, record),
        (service: RecordService) => unwrapJson(listSeed(kind, { limit: 1 }, { service }).body),
      ),
      ...refusals,
    },
  };
}

function describeCreate(kind: Kind): Words {
  const { name, collection, noun, record, sample, texts, rules } = kind;
  return {
    ...pickTexts(texts.create, ` ${keptFor}`),
    tag: collection,
    summary: `Create a ${noun}`,
    sample,
    replies: {
      201: ok(
        `The ${noun}, its workspace and how long it is kept.`,
        {
          [name]: record,
          ...affectedEntries,
          ...(rules.explainDefaults && defaultsEntry),
          ...createdEntries,
        },
        (service: RecordService) => buildCreateExample(kind, sample, service),
        ['Location', 'X-Workspace'],
      ),
      402: workspaceFull,
      409: blocked('duplicate_ref', 'The ref is that of another, or strict handling found a conflict.'),
    },
  };
}

function describeGet(kind: Kind): Words {
  const { name, noun, prefix, record, texts } = kind;
  const { tool, ...words } = pickTexts(texts.get);
  return {
    ...createRecordContract(kind, {
      200: ok(`The ${noun}.`, { [name]: record }, ({ seed }: RecordService) => ({
        [name]: seed.rows[name]![0]!.row.value,
      })),
    }),
    ...words,
    // A model reads the whole record. Its list of tools has no room for `fields`, which still works.
    ...(tool && { tool: { ...tool, input: v.object({}) } }),
    summary: `Read one ${noun}`,
    sample: { id: `${prefix}001` },
  };
}

function describeUpdate(kind: Kind): Words {
  const { name, noun, prefix, record, changeSample, texts } = kind;
  return {
    ...createWriteContract(kind, {
      200: ok(
        `The changed ${noun}.`,
        { [name]: record, ...affectedEntries },
        (service: RecordService) => ({ [name]: buildChangeExample(kind, service) }),
        ['ETag'],
      ),
      402: workspaceFull,
      409: blocked('illegal_transition', 'The status cannot follow, or the change conflicts with others.'),
    }),
    ...pickTexts(texts.update),
    summary: `Change a ${noun}`,
    description: `${texts.update.description} Null removes a member (RFC 7396).`,
    sample: { id: `${prefix}0000000000000000`, ...changeSample },
  };
}

function describeDelete(kind: Kind): Words {
  const { noun, prefix, texts } = kind;
  const id = `${prefix}0000000000000000`;
  const deleted = createIdSchema(prefix, 'Its id.');
  return {
    ...createWriteContract(kind, {
      200: ok(`The ${noun} is deleted.`, { deleted, ...affectedEntries }, () => ({ deleted: id })),
    }),
    ...pickTexts(texts.delete),
    summary: `Delete a ${noun}`,
    sample: { id },
  };
}

const describeKind = (kind: Kind): Contracts => ({
  [kind.texts.list.operationId]: describeList(kind),
  [kind.texts.create.operationId]: describeCreate(kind),
  [kind.texts.get.operationId]: describeGet(kind),
  [kind.texts.update.operationId]: describeUpdate(kind),
  [kind.texts.delete.operationId]: describeDelete(kind),
});

/** Returns the contracts of the operations on records of these kinds, and on the workspaces that hold them. */
export const createRecordContracts = (kinds: readonly Kind[]): Contracts => ({
  ...Object.assign({}, ...kinds.map(describeKind)),
  ...createWorkspaceContracts(kinds),
});
