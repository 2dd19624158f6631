import { negotiateHome } from '../../kernel/representation.ts';
import { decodePath, type Suffix } from '../../kernel/router.ts';
import type { OwnReplies, OwnReply } from './own-replies.ts';

/** How an address is served. `{id}` in `file` and in headers is the id of the address. */
export interface SiteRule {
  file: string;
  /** Index in `headers` of the site. */
  headers: number;
  ignoresQuery?: true;
  perWorkspace?: true;
}

/** What the build writes into the worker. */
export interface Site {
  addresses: Record<string, SiteRule>;
  /** Rules of a shape. The pattern is a regular expression whose first group is the id. */
  shapes: [pattern: string, rule: SiteRule][];
  headers: Record<string, string>[];
  /** The rules of `/` by representation. */
  home: Record<Suffix, SiteRule>;
  replies: OwnReplies;
  offerPath: string;
}

declare const site: Site;

interface Environment {
  ASSETS: { fetch(request: Request): Promise<Response> };
}

const toResponse = ({ status, headers, body }: OwnReply, method: string, content: BodyInit = body) =>
  new Response(method === 'HEAD' || status === 204 ? null : content, { status, headers });

function findRule(path: string, headers: Record<string, string>): { rule: SiteRule; id: string } | undefined {
  const plain = path === '/' ? site.home[negotiateHome(headers)] : site.addresses[path];
  if (plain) return { rule: plain, id: '' };
  for (const [pattern, rule] of site.shapes) {
    const id = new RegExp(pattern).exec(path)?.[1];
    if (id !== undefined) return { rule, id };
  }
  return undefined;
}

/** Cloudflare Pages redirects from an address that ends in `.html` to one that does not, and has the page there. */
const toAssetPath = (file: string) => file.replace(/\/index\.html$/, '/').replace(/\.html$/, '');

export default {
  async fetch(request: Request, { ASSETS }: Environment): Promise<Response> {
    const { method } = request;
    const { replies } = site;
    const url = new URL(request.url);
    const readAsset = (file: string) => ASSETS.fetch(new Request(new URL(toAssetPath(file), url), request));

    async function createNotFound(): Promise<Response> {
      const isNavigation = request.headers.get('Sec-Fetch-Dest') === 'document';
      if (!isNavigation) return toResponse(replies.notFound, method);
      const page = await ASSETS.fetch(new Request(new URL('/404', url)));
      return toResponse(replies.notFoundPage, method, await page.text());
    }

    if (method === 'OPTIONS') return toResponse(replies.preflight, method);
    if (method !== 'GET' && method !== 'HEAD') return toResponse(replies.method, method);
    const path = decodePath(url.pathname);
    if (path === site.offerPath) return toResponse(replies.offer, method);
    const match = path === undefined ? undefined : findRule(path, Object.fromEntries(request.headers));
    if (!match) return createNotFound();
    const { rule, id } = match;
    if (rule.perWorkspace && request.headers.has('X-Workspace')) return toResponse(replies.workspace, method);
    if (url.search !== '' && !rule.ignoresQuery) return createNotFound();
    const asset = await readAsset(rule.file.replace('{id}', encodeURIComponent(id)));
    if (asset.status !== 200 && asset.status !== 304) return createNotFound();
    const response = new Response(asset.body, asset);
    for (const [name, value] of Object.entries(site.headers[rule.headers]!))
      response.headers.set(name, value.replaceAll('{id}', id));
    return response;
  },
};
