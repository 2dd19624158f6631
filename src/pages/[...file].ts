import type { APIRoute } from 'astro';
import { buildService } from '../hosts/build/build-service.ts';
import { replay, toFrozenFiles } from '../hosts/build/frozen-files.ts';

export const prerender = true;

/** Every file that never changes, written by replaying the core. */
export function getStaticPaths() {
  return toFrozenFiles(buildService()).map(({ file }) => ({ params: { file: file.slice(1) } }));
}

export const GET: APIRoute = async ({ params }) => {
  const { body } = await replay(buildService(), `/${params.file}`);
  return new Response(body);
};
