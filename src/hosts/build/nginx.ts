import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createRefusalReply } from '../../kernel/create-reply.ts';
import type { FrozenAddress, Manifest } from '../../kernel/freeze.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { markdownAgents } from '../../kernel/representation.ts';
import { type OwnReplies, type OwnReply, offerPath } from './own-replies.ts';

/** How an address, or all addresses of a shape, is served. `{id}` is the same text in address, file and headers. */
export interface Rule extends Omit<FrozenAddress, 'headers' | 'link'> {
  address: string;
  headers: Record<string, string>;
  /** Media type with charset. */
  type: string;
  /** Names of the query parameters that the service reads here, if it reads any. */
  reads?: readonly string[];
}

/**
 * Quotes an nginx string. `{id}` becomes the id that the location matched. Throws for a dollar, which has no escape.
 */
function quoteNginx(text: string): string {
  if (text.includes('$')) throw new Error(`nginx cannot hold this text: ${text}`);
  return `"${text.replace(/["\\]/g, '\\$&')}"`.replaceAll('{id}', '$id');
}

/** The headers of a location. A location with headers of its own inherits none. */
const formatHeaders = (headers: Record<string, string>, always = '') => [
  ...Object.entries(headers).map(([name, value]) =>
    name === 'Content-Type'
      ? `default_type ${quoteNginx(value)};`
      : `add_header ${name} ${quoteNginx(value)}${always};`,
  ),
  `add_header Strict-Transport-Security $careers_hsts${always};`,
];

const formatLocation = (match: string, lines: string[]) =>
  [`location ${match} {`, ...lines.map((line) => `  ${line}`), '}'].join('\n');

/** Returns a regular expression for the addresses of a shape. `group` captures the id. */
export const formatPattern = (address: string, group = '([^/]+)'): string =>
  `^${address.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace('{id}', group)}$`;

function formatMatch(address: string): string {
  if (!address.includes('{id}')) return `= ${address}`;
  return `~ "${formatPattern(address, '(?<id>[^/]+)')}"`;
}

/** The location of a rule. It refuses what only the core can answer: a workspace, then a query. */
function formatRule({ address, file, type, headers, ignoresQuery, perWorkspace }: Rule): string {
  return formatLocation(formatMatch(address), [
    ...(perWorkspace ? ['if ($http_x_workspace != "") { return 401; }'] : []),
    ...(ignoresQuery ? [] : ['if ($args != "") { return 404; }']),
    `try_files ${quoteNginx(file)} =404;`,
    ...formatHeaders({ 'Content-Type': type, ...headers }),
  ]);
}

/** The location of a representation of `/`. The template rewrites to it. */
const formatHome = (type: string, representation: string, headers: Record<string, string>) =>
  formatLocation(`= /.home/${representation}`, [
    'internal;',
    `try_files /index.${representation} =404;`,
    ...formatHeaders({ 'Content-Type': type, ...headers }),
  ]);

/** What nginx refuses before it looks at the address. */
const ownRefusals = [
  'invalid_http',
  'body_too_large',
  'headers_too_large',
  'internal',
  'http_version',
] as const;

const formatReply = (name: string, { status, headers, body }: OwnReply, lines: string[] = []) =>
  formatLocation(name, [
    ...lines,
    ...formatHeaders(headers, ' always'),
    `return ${status}${body === '' ? '' : ` ${quoteNginx(body)}`};`,
  ]);

/**
 * Formats the nginx configuration of a static preview, to be included in `http`. What only a live service can answer is
 * refused with the envelope of the core: a query with 404, a workspace with 401, another method with 405.
 */
export function formatNginxConf(
  rules: readonly Rule[],
  { home, files }: Manifest,
  replies: OwnReplies,
): string {
  const locations = [
    ...rules.map(formatRule),
    ...Object.entries(home).map(([representation, headers]) =>
      formatHome(files[`/index.${representation}`]!.type, representation, headers),
    ),
    formatReply(`= ${offerPath}`, replies.offer),
    formatReply('@preflight', replies.preflight),
    formatReply('@workspace', replies.workspace),
    formatReply('@not_found', replies.notFound),
    formatReply('@method', replies.method),
    // By address, because an unreadable request has none, and a named location needs one.
    ...ownRefusals.map((code) => {
      const reason = code === 'body_too_large' ? 'The body is too large, and no file takes one.' : undefined;
      const reply = createRefusalReply(new Refusal(code, { ...(reason && { reason }) }));
      return formatReply(`= /.error/${reply.status}`, reply, ['internal;']);
    }),
  ];
  return readFileSync(join(import.meta.dirname, 'static-nginx.conf'), 'utf8')
    .replace('{{markdown agents}}', markdownAgents.source)
    .replace('{{locations}}', () => locations.join('\n').replaceAll('\n', '\n  '));
}
