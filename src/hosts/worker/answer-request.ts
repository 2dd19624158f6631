import { createAnswer } from '../../kernel/answer.ts';
import { isNavigation } from '../../kernel/call.ts';
import { createNotFoundPage, createNotFoundReply, createRefusalReply } from '../../kernel/create-reply.ts';
import { chooseFileCache, commonHeaders, homeCache, pageHeaders } from '../../kernel/headers.ts';
import { usualBody } from '../../kernel/operation.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { negotiateHome } from '../../kernel/representation.ts';
import { createFind, createRouter, decodePath } from '../../kernel/router.ts';
import type { Service } from '../../service.ts';
import { findMediaType } from '../media-type.ts';
import { toCall, toResponse } from '../web-call.ts';
import type { Files } from './files.ts';

/** Answers requests of pages at this origin as the Node host would. */
export function createAnswerRequest(service: Service, files: Files): (request: Request) => Promise<Response> {
  const answer = createAnswer(service);
  const route = createRouter(service.operations);
  const find = createFind(service.operations);

  /** Returns the path of a file on the host, if the core does not answer the path and it may be a file. */
  function findFile(path: string): string | undefined {
    const match = route(path);
    const isFile = !match && decodePath(path) !== undefined && /\.\w+$/.test(path);
    return isFile || match?.representation === 'html' ? path : undefined;
  }

  async function answerFile(file: string, isHome: boolean): Promise<Response> {
    const response = await files.readPage(file);
    if (!response) return toResponse(createNotFoundReply());
    const headers = {
      // By the suffix first, because the host may not know the type or its charset.
      'Content-Type':
        findMediaType(file) ?? response.headers.get('Content-Type') ?? 'application/octet-stream',
      ...commonHeaders,
      ...(isHome ? homeCache : chooseFileCache(file)),
      ...(file.endsWith('.html') && pageHeaders),
    };
    return new Response(response.body, { status: 200, headers });
  }

  return async (request) => {
    const call = await toCall(request);
    const { bodyLimit = usualBody } = find(call.method, call.path) ?? {};
    if (call.body.length > bodyLimit) return toResponse(createRefusalReply(new Refusal('body_too_large')));
    // A worker does not see these two headers.
    const headers = {
      ...call.headers,
      'user-agent': navigator.userAgent,
      'sec-fetch-dest': request.destination,
    };
    const reads = request.method === 'GET' || request.method === 'HEAD';
    const isHome = call.path === '/' && negotiateHome(headers) === 'html';
    const file = isHome ? '/index.html' : findFile(call.path);
    const reply = reads && file !== undefined ? undefined : await answer({ ...call, headers });
    const isNothing = reply?.status === 404 && reply.logFields?.operation === 'none';
    const page = isNothing && isNavigation({ ...call, headers }) && (await files.readPage('/404.html'));
    const response = page
      ? toResponse(createNotFoundPage(await page.text()))
      : reply
        ? toResponse(reply)
        : await answerFile(file!, isHome);
    return request.method === 'HEAD' ? new Response(null, response) : response;
  };
}
