import { createAnswer } from '../../kernel/answer.ts';
import type { Reply } from '../../kernel/call.ts';
import { createNotFoundPage, createNotFoundReply, createRefusalReply } from '../../kernel/create-reply.ts';
import { createPreflight } from '../../kernel/headers.ts';
import { createMethodRefusal, Refusal } from '../../kernel/refusal.ts';
import { getOffer } from '../../pricing/offer.ts';
import { capabilities, type Service } from '../../service.ts';

/** A reply without what only the log needs. */
export type OwnReply = Pick<Reply, 'status' | 'headers' | 'body'>;

/** The replies of a static host that are not a file with status 200. The core makes them. */
export interface OwnReplies {
  /** 404: the address has no file, or the query needs a live service. */
  notFound: OwnReply;
  /** The same for a browser that navigates. A host replaces the body by the page 404.html. */
  notFoundPage: OwnReply;
  /** 405: the method needs a live service. */
  method: OwnReply;
  /** 401: the workspace needs a live service. */
  workspace: OwnReply;
  preflight: OwnReply;
  /** The 402 of `offerPath`. */
  offer: OwnReply;
}

export const offerPath = getOffer.path;

const allow = 'GET, HEAD, OPTIONS';
const noWorkspaces =
  'This host serves files alone, so it has no workspaces and takes no creates. Leave the workspace out to read the public seed.';

const pick = ({ status, headers, body }: Reply): OwnReply => ({ status, headers, body });

export async function createOwnReplies(service: Service): Promise<OwnReplies> {
  const offer = await createAnswer(service)({
    method: 'GET',
    path: offerPath,
    query: '',
    headers: {},
    body: new Uint8Array(),
  });
  return {
    notFound: pick(createNotFoundReply()),
    notFoundPage: pick(createNotFoundPage('Nothing is at this address.')),
    method: pick(createRefusalReply(createMethodRefusal(allow))),
    workspace: pick(createRefusalReply(new Refusal('unknown_workspace', { reason: noWorkspaces }))),
    preflight: { status: 204, headers: { ...createPreflight(capabilities), Allow: allow }, body: '' },
    offer: pick(offer),
  };
}
