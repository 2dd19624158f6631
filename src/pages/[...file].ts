import type { APIRoute } from 'astro';
import { buildService } from '../hosts/build/build-service.ts';
import { listFrozenFiles } from '../hosts/build/pack.ts';
import { hasAddresses, withOrigin } from '../hosts/with-origin.ts';
import { createAnswer } from '../kernel/answer.ts';
import { replay } from '../kernel/freeze.ts';
import { publishedOrigin } from './_parts/ask.ts';

export const prerender = true;

/** Lists every file that never changes. The build writes each one from a reply of the core. */
export function getStaticPaths() {
  return listFrozenFiles(buildService()).map(({ file }) => ({ params: { file: file.slice(1) } }));
}

const answer = createAnswer(buildService());

export const GET: APIRoute = async ({ params }) => {
  const file = `/${params.file}`;
  const { body } = await replay(answer, file);
  return new Response(publishedOrigin && hasAddresses(file) ? withOrigin(file, body, publishedOrigin) : body);
};
