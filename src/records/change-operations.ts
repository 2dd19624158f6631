import * as v from 'valibot';
import { toOkSchema } from '../kernel/envelope.ts';
import { blocked, emptyRecord, type Operation, type ReplySpec, toOperation } from '../kernel/operation.ts';
import { checkCode } from '../occupations/code.ts';
import { offer } from '../pricing/offer.ts';
import { checkChange, remove, toChangeSchema, toMovesText, update } from './change.ts';
import { refuseSeedRecord } from './change-one.ts';
import { toCreatedExample } from './create.ts';
import type { Kind } from './kind.ts';
import { invalid, mismatch, toRecordRow, toTexts, unknownWorkspace } from './operation-parts.ts';

/** The replies of what changes or erases one record, beside its 200. */
function toWriteReplies({ noun }: Kind): Record<number, ReplySpec> {
  return {
    400: invalid('id', 'is given by the service and cannot be changed; leave it out'),
    401: unknownWorkspace,
    403: blocked('read_only', 'The record belongs to the seed.'),
    404: emptyRecord(`No ${noun} has this id in view.`),
    412: blocked('changed', 'The record is not what If-Match, or revision, says.'),
    422: mismatch,
  };
}

const commonWrite = { cache: 'never', workspace: 'required', withoutWorkspace: refuseSeedRecord } as const;

/** PATCH of one record. */
export function toUpdateOperation(kind: Kind): Operation {
  const { name, noun, prefix, record, sample, texts } = kind;
  const [member, value] = Object.entries(sample)[0]!;
  return toOperation({
    ...toRecordRow(kind),
    ...toTexts(texts.update, `Change a ${noun}`),
    description: `${texts.update.description} A JSON Merge Patch (RFC 7396): null removes a member. Moves: ${toMovesText(kind)}.`,
    method: 'PATCH',
    effect: 'update',
    sample: { id: `${prefix}0000000000000000`, [member]: value },
    input: toChangeSchema(kind),
    replies: {
      200: {
        description: `The ${noun} as it then reads.`,
        schema: toOkSchema({ [name]: record }),
        headers: ['ETag', 'Idempotency-Replayed'],
        example: (service) => {
          const created = toCreatedExample(kind, sample, service) as Record<string, object>;
          return { type: 'OK', [name]: { ...created[name], revision: 2 } };
        },
      },
      ...toWriteReplies(kind),
      402: offer('recordCeiling', 'The workspace is full.'),
      409: blocked('illegal_transition', 'The status cannot follow, or the change conflicts with others.'),
    },
    ...commonWrite,
    check(args, service) {
      const issues = checkChange(kind, args);
      const codes = checkCode(args, service);
      return codes instanceof Promise ? codes.then((more) => [...issues, ...more]) : [...issues, ...codes];
    },
    run: ({ id, ...patch }, context) => update(kind, id, patch, context),
  });
}

/** DELETE of one record. */
export function toDeleteOperation(kind: Kind): Operation {
  const { noun, prefix, texts } = kind;
  return toOperation({
    ...toRecordRow(kind),
    ...toTexts(texts.delete, `Erase a ${noun}`),
    method: 'DELETE',
    effect: 'delete',
    sample: { id: `${prefix}0000000000000000` },
    input: v.object({}),
    replies: {
      200: {
        description: `The ${noun} is erased.`,
        schema: toOkSchema({ deleted: v.pipe(v.string(), v.description('Its id.')) }),
        headers: ['Idempotency-Replayed'],
        example: () => ({ type: 'OK', deleted: `${prefix}0000000000000000` }),
      },
      ...toWriteReplies(kind),
      400: blocked('invalid_path', 'The path or query is not valid.'),
    },
    ...commonWrite,
    run: ({ id }, context) => remove(kind, id, context),
  });
}
