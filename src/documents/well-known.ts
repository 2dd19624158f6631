import type { Service } from '../kernel/service.ts';
import { dayMs } from '../kernel/text.ts';

/** Days that a security.txt stays valid (RFC 9116 section 2.5.5 recommends less than a year). */
const securityDays = 180;

/** The API catalogue (RFC 9727) as a link set (RFC 9264). */
export function toApiCatalog({ settings: { baseUrl } }: Service): object {
  const at = (path: string) => baseUrl + path;
  return {
    linkset: [
      {
        anchor: at('/'),
        'service-desc': [{ href: at('/openapi.json'), type: 'application/json' }],
        'service-doc': [
          { href: at('/api.html'), type: 'text/html' },
          { href: at('/llms.txt'), type: 'text/plain' },
        ],
        'service-meta': [
          { href: at('/.well-known/agents.json'), type: 'application/json' },
          { href: at('/mcp/server-card'), type: 'application/mcp-server-card+json' },
          { href: at('/.well-known/agent-skills/index.json'), type: 'application/json' },
        ],
        status: [{ href: at('/healthz'), type: 'application/json' }],
      },
    ],
  };
}

/** security.txt (RFC 9116), or undefined where the operator named no contact. */
export function toSecurityTxt({ settings: { contact, baseUrl }, platform }: Service): string | undefined {
  if (!contact) return undefined;
  const expires = new Date(platform.now() + securityDays * dayMs).toISOString();
  return `Contact: ${contact}\nExpires: ${expires}\nCanonical: ${baseUrl}/.well-known/security.txt\nPreferred-Languages: en\n`;
}

/** robots.txt (RFC 9309): everything may be read, by agents too. */
export function toRobotsTxt({ settings: { baseUrl } }: Service): string {
  return `User-agent: *
Allow: /
Content-Signal: search=yes, ai-input=yes

User-agent: GPTBot
User-agent: OAI-SearchBot
User-agent: ChatGPT-User
User-agent: ClaudeBot
User-agent: Claude-User
User-agent: PerplexityBot
User-agent: Google-Extended
Allow: /
Content-Signal: search=yes, ai-input=yes

Sitemap: ${baseUrl}/sitemap.xml
`;
}

/** Pages that are no representation of an operation. */
const otherPages = ['/api.html', '/receipt.html', '/workspace.html'];

/** The site map: every page for people. */
export function toSitemap(service: Service): string {
  const pages = service.operations
    .filter(({ page }) => page)
    .flatMap(({ frozen }) => frozen?.(service) ?? [])
    .map((path) => (path === '/' ? '/' : `${path}.html`));
  const urls = [...pages, ...otherPages]
    .map((path) => `<url><loc>${service.settings.baseUrl}${path}</loc></url>`)
    .join('\n');
  return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${urls}\n</urlset>\n`;
}
