import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { toNothingHere, toRefusalReply } from '../../kernel/answer.ts';
import type { Reply } from '../../kernel/call.ts';
import type { FrozenAddress, Manifest } from '../../kernel/freeze.ts';
import { preflight } from '../../kernel/headers.ts';
import { Refusal, toMethodRefusal } from '../../kernel/refusal.ts';
import { markdownAgents } from '../../kernel/representation.ts';

/** How one address, or all of one shape, is served: `{id}` is the same text in address, file and header values. */
export interface Rule extends Omit<FrozenAddress, 'headers' | 'link'> {
  address: string;
  headers: Record<string, string>;
  /** Media type with charset. */
  type: string;
}

/** A quoted nginx string; `{id}` becomes what the location caught. Throws on a dollar, which cannot be escaped. */
function toNginxText(text: string): string {
  if (text.includes('$')) throw new Error(`nginx cannot hold this text: ${text}`);
  return `"${text.replace(/["\\]/g, '\\$&')}"`.replaceAll('{id}', '$id');
}

/** The headers of a location: one that has its own inherits none. */
const toHeaderLines = (headers: Record<string, string>, always = '') => [
  ...Object.entries(headers).map(([name, value]) =>
    name === 'Content-Type'
      ? `default_type ${toNginxText(value)};`
      : `add_header ${name} ${toNginxText(value)}${always};`,
  ),
  `add_header Strict-Transport-Security $careers_hsts${always};`,
];

const toLocation = (match: string, lines: string[]) =>
  [`location ${match} {`, ...lines.map((line) => `  ${line}`), '}'].join('\n');

function toMatch(address: string): string {
  if (!address.includes('{id}')) return `= ${address}`;
  const pattern = address.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace('{id}', '(?<id>[^/]+)');
  return `~ "^${pattern}$"`;
}

/** The location of a rule. It refuses what only the core could answer: a workspace, then a query. */
function toRuleLocation({ address, file, type, headers, ignoresQuery, perWorkspace }: Rule): string {
  return toLocation(toMatch(address), [
    ...(perWorkspace ? ['if ($http_x_workspace != "") { return 401; }'] : []),
    ...(ignoresQuery ? [] : ['if ($args != "") { return 404; }']),
    `try_files ${toNginxText(file)} =404;`,
    ...toHeaderLines({ 'Content-Type': type, ...headers }),
  ]);
}

/** The location of a representation of `/`, to which the template rewrites. */
const toHomeLocation = (type: string, representation: string, headers: Record<string, string>) =>
  toLocation(`= /.home/${representation}`, [
    'internal;',
    `try_files /index.${representation} =404;`,
    ...toHeaderLines({ 'Content-Type': type, ...headers }),
  ]);

/** What nginx refuses by itself, before it looks at an address. */
const ownRefusals = [
  'invalid_http',
  'body_too_large',
  'headers_too_large',
  'internal',
  'http_version',
] as const;

const toReplyLocation = (name: string, { status, headers, body }: Reply, lines: string[] = []) =>
  toLocation(name, [
    ...lines,
    ...toHeaderLines(headers, ' always'),
    `return ${status}${body === '' ? '' : ` ${toNginxText(body)}`};`,
  ]);

const allow = 'GET, HEAD, OPTIONS';

/**
 * The nginx configuration of a static preview, for inclusion in `http`. What only a live service can answer is refused
 * with the envelope of the core: a query 404, a workspace 401, another method 405.
 */
export function toNginxConf(rules: readonly Rule[], { home, files }: Manifest): string {
  const locations = [
    ...rules.map(toRuleLocation),
    ...Object.entries(home).map(([representation, headers]) =>
      toHomeLocation(files[`/index.${representation}`]!.type, representation, headers),
    ),
    toReplyLocation('@preflight', { status: 204, headers: { ...preflight, Allow: allow }, body: '' }),
    toReplyLocation('@workspace', toRefusalReply(new Refusal('unknown_workspace'))),
    toReplyLocation('@nothing', toNothingHere()),
    toReplyLocation('@method', toRefusalReply(toMethodRefusal(allow))),
    // By address, because a request that could not be read has none, and a named location needs one.
    ...ownRefusals.map((code) => {
      const reason = code === 'body_too_large' ? 'The body is too large, and no file takes one.' : undefined;
      const reply = toRefusalReply(new Refusal(code, { ...(reason && { reason }) }));
      return toReplyLocation(`= /.error/${reply.status}`, reply, ['internal;']);
    }),
  ];
  return readFileSync(join(import.meta.dirname, 'static-nginx.conf'), 'utf8')
    .replace('{{markdown agents}}', markdownAgents.source)
    .replace('{{locations}}', () => locations.join('\n').replaceAll('\n', '\n  '));
}
