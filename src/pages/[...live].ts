import type { APIRoute } from 'astro';
import { buildService } from '../hosts/build/build-service.ts';
import { toCall, toResponse } from '../hosts/web-call.ts';
import { createAnswer } from '../kernel/answer.ts';

export const prerender = false;

/** Answers all other requests from the core, in the development server or any Astro host. */
export const ALL: APIRoute = async ({ request }) =>
  toResponse(await createAnswer(buildService())(await toCall(request)));
