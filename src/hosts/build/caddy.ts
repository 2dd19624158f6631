import type { Manifest } from '../../kernel/freeze.ts';
import { markdownAgents } from '../../kernel/representation.ts';
import { formatPattern, type Rule } from './nginx.ts';
import { type OwnReplies, type OwnReply, offerPath } from './own-replies.ts';

/**
 * Quotes a text for a Caddyfile. `{id}` becomes the id that the matcher found. Throws for a backtick, which has no
 * escape.
 */
function quote(text: string): string {
  if (text.includes('`')) throw new Error(`a Caddyfile cannot hold this text: ${text}`);
  return `\`${text.replaceAll('{id}', '{re.id.1}')}\``;
}

const indent = (lines: readonly string[]) => lines.map((line) => `\t${line}`);

const formatBlock = (head: string, lines: readonly string[]) => [`${head} {`, ...indent(lines), '}'];

const formatHeaders = (headers: Record<string, string>) =>
  formatBlock(
    'header',
    Object.entries(headers).map(([name, value]) => `${name} ${quote(value)}`),
  );

const fileServer = formatBlock('file_server', ['precompressed br gzip']);

const serve = (file: string, headers: Record<string, string>) => [
  ...formatHeaders(headers),
  `rewrite * ${quote(file)}`,
  ...fileServer,
];

const formatReply = ({ status, headers, body }: OwnReply) => [
  ...formatHeaders(headers),
  body === '' ? `respond ${status}` : `respond ${quote(body)} ${status}`,
];

function formatMatcher(name: string, address: string): string {
  if (!address.includes('{id}')) return `@${name} path ${address}`;
  return `@${name} path_regexp id ${formatPattern(address)}`;
}

function formatRule({ address, file, type, headers, ignoresQuery, perWorkspace }: Rule, index: number) {
  const name = `rule${index}`;
  return [
    formatMatcher(name, address),
    ...formatBlock(`route @${name}`, [
      ...(perWorkspace ? ['error @workspace 401'] : []),
      ...(ignoresQuery ? [] : ['error @query 404']),
      ...serve(file, { 'Content-Type': type, ...headers }),
    ]),
  ];
}

/** Formats the routes of `/`. Caddy cannot compare q-values, so HTML goes before Markdown if Accept names both. */
function formatHome({ home, files }: Manifest): string[] {
  const serveHome = (suffix: 'html' | 'md' | 'json') =>
    serve(`/index.${suffix}`, { 'Content-Type': files[`/index.${suffix}`]!.type, ...home[suffix] });
  return formatBlock('route /', [
    'error @query 404',
    ...formatBlock('route @acceptsHtml', serveHome('html')),
    ...formatBlock('route @acceptsMarkdown', serveHome('md')),
    ...formatBlock('route @acceptsJson', serveHome('json')),
    ...formatBlock('route @readsMarkdown', serveHome('md')),
    ...formatBlock('route @navigates', serveHome('html')),
    ...serveHome('json'),
  ]);
}

const matchers = [
  '@preflight method OPTIONS',
  '@method not method GET HEAD',
  '@workspace header X-Workspace *',
  '@query expression `{http.request.uri.query} != ""`',
  '@acceptsHtml header_regexp Accept (?i)text/html|application/xhtml\\+xml',
  '@acceptsMarkdown header_regexp Accept (?i)text/markdown',
  '@acceptsJson header_regexp Accept (?i)application/json|[a-z.-]+\\+json',
  `@readsMarkdown header_regexp User-Agent (?i)${markdownAgents.source}`,
  '@navigates header Sec-Fetch-Dest document',
];

/** Formats a site of a Caddyfile that answers as nginx.conf of the build does. Its root is the folder `site`. */
export function formatCaddyfile(rules: readonly Rule[], manifest: Manifest, replies: OwnReplies): string {
  const replyTo = (status: number, reply: OwnReply) => [
    `@is${status} expression {http.error.status_code} == ${status}`,
    ...formatBlock(`route @is${status}`, formatReply(reply)),
  ];
  const lines = formatBlock(':8080', [
    'root * /srv/careers',
    ...matchers,
    ...formatBlock('route', [
      ...formatBlock('route @preflight', formatReply(replies.preflight)),
      'error @method 405',
      ...formatBlock(`route ${offerPath}`, formatReply(replies.offer)),
      ...formatHome(manifest),
      ...rules.flatMap(formatRule),
      'error 404',
    ]),
    ...formatBlock('handle_errors', [
      ...replyTo(401, replies.workspace),
      ...replyTo(405, replies.method),
      ...formatReply(replies.notFound),
    ]),
  ]);
  return `# Written by the build from its manifest. Set the address and the root: root is the folder site beside this file.\n${lines.join('\n')}\n`;
}
