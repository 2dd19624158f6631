import { toNothingHere, toRefusalReply } from '../../kernel/answer.ts';
import type { Reply } from '../../kernel/call.ts';
import type { FrozenAddress, Manifest } from '../../kernel/freeze.ts';
import { preflight } from '../../kernel/headers.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { markdownAgents } from '../../kernel/representation.ts';

/**
 * How one address is served, or all addresses of one shape: `{id}` stands for the same text, without a slash,
 * in the address, the file and the values of the headers.
 */
export interface Rule extends Omit<FrozenAddress, 'headers' | 'link'> {
  address: string;
  headers: Record<string, string>;
  /** Media type with charset. */
  type: string;
}

const toLiteral = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
/** A quoted nginx string. A dollar would be read as a variable, and cannot be escaped. */
function toNginxText(text: string): string {
  if (text.includes('$')) throw new Error(`nginx cannot hold this text: ${text}`);
  return `"${text.replace(/["\\]/g, '\\$&')}"`;
}
/** The same, with the id that a regular expression caught. */
const toNginxTextWithId = (text: string) => toNginxText(text).replaceAll('{id}', '$careers_id');

function toKey({ address }: Rule): string {
  if (!address.includes('{id}')) return `"${address}"`;
  return `"~^${toLiteral(address).replace('\\{id\\}', '(?<careers_id>[^/]+)')}$"`;
}

function toMap(source: string, variable: string, entries: readonly (readonly [string, string])[]): string {
  const lines = entries.map(([key, value]) => `  ${key} ${value};`);
  return `map ${source} $careers_${variable} {\n${lines.join('\n')}\n}\n`;
}

const toVariable = (header: string) => header.toLowerCase().replaceAll('-', '_');

/** A map for each header that a rule has, and the lines that send them; an empty value is not sent. */
function toHeaderMaps(rules: readonly Rule[]) {
  const names = new Set(rules.flatMap(({ headers }) => Object.keys(headers)));
  const sources = [...names].map((name) => ({ name, variable: toVariable(name) }));
  const maps = sources.map(({ name, variable }) =>
    toMap('$careers_key', variable, [
      ['default', '""'],
      // A shape says that it has none, or the next one that fits would speak for it.
      ...rules
        .filter(({ address, headers }) => address.includes('{id}') || headers[name] !== undefined)
        .map((rule) => [toKey(rule), toNginxTextWithId(rule.headers[name] ?? '')] as const),
    ]),
  );
  const lines = sources.map(({ name, variable }) => `    add_header ${name} $careers_${variable};`);
  return { maps, lines };
}

const named = {
  html: 'text/html|application/xhtml\\+xml',
  md: 'text/markdown',
  json: 'application/json|[a-z.-]+\\+json',
};
const anyNamed = Object.values(named).join('|');
const first = (types: string) => `"~*^(?:(?!${anyNamed}).)*?(?:${types})"`;

/** The representation of `/`: nginx cannot compare q-values, so the first representation that Accept names is taken. */
function toHomeMaps(): string[] {
  return [
    toMap('$http_sec_fetch_dest', 'dest', [
      ['default', 'json'],
      ['document', 'html'],
    ]),
    toMap('$http_user_agent', 'client', [
      ['default', '$careers_dest'],
      [`"~*(?:${markdownAgents.source})"`, 'md'],
    ]),
    toMap('$http_accept', 'representation', [
      ['default', '$careers_client'],
      ...Object.entries(named).map(([representation, pattern]) => [first(pattern), representation] as const),
    ]),
  ];
}

/** The representations of `/`, each under its own name: no path is without a slash. */
function toHomeRules({ home, files }: Manifest): Rule[] {
  return Object.entries(home).map(([representation, headers]) => {
    const file = `/index.${representation}`;
    return { address: representation, file, type: files[file]!.type, headers };
  });
}

function toErrorLocation(name: string, { status, headers, body }: Reply): string {
  const { 'Content-Type': type, ...others } = headers;
  const lines = Object.entries(others).map(
    ([field, value]) => `    add_header ${field} ${toNginxText(value)} always;`,
  );
  return `  location ${name} {\n    default_type ${toNginxText(type!)};\n${lines.join('\n')}\n    ${hsts}\n    return ${status} ${toNginxText(body)};\n  }\n`;
}

/** What the core would read at an address beside the path. */
function whatItAsks({ ignoresQuery, perWorkspace }: Rule): string {
  if (ignoresQuery) return 'nothing';
  return perWorkspace ? 'workspace' : 'query';
}

const allow = 'GET, HEAD, OPTIONS';

/** Where TLS ends here, browsers have to use it from then on. A location with headers of its own inherits none. */
const hsts = 'add_header Strict-Transport-Security $careers_hsts always;';

/**
 * The nginx configuration of a static preview, for inclusion in `http`: files with the types, headers and
 * suffix-less addresses of the manifest. What only a live service can answer is refused with the
 * envelope of the core: a query 404, a workspace 401, another method 405.
 */
export function toNginxConf(ofManifest: readonly Rule[], manifest: Manifest): string {
  const rules = [...toHomeRules(manifest), ...ofManifest];
  const { maps, lines } = toHeaderMaps(rules);
  const method = new Refusal('method_not_allowed', { headers: { Allow: allow } });
  const preflightLines = Object.entries({ ...preflight, Allow: allow }).map(
    ([name, value]) => `      add_header ${name} ${toNginxText(value)};`,
  );
  return `# Written by the build from its manifest. Include it in http { }, and set listen and root:
# root is the folder site beside this file.
map_hash_bucket_size 256;
${[
  ...toHomeMaps(),
  toMap('$careers_path', 'key', [
    ['default', '$careers_path'],
    ['/', '$careers_representation'],
  ]),
  toMap('$careers_key', 'file', [
    ['default', '/.none'],
    ...rules.map((rule) => [toKey(rule), toNginxTextWithId(rule.file)] as const),
  ]),
  toMap('$careers_key', 'type', [
    ['default', '""'],
    ...rules.map((rule) => [toKey(rule), toNginxText(rule.type)] as const),
  ]),
  '# Whether the core would read a query, or X-Workspace, at an address.',
  toMap('$careers_key', 'asks', [
    ['default', 'query'],
    ...rules.map((rule) => [toKey(rule), whatItAsks(rule)] as const),
  ]),
  toMap('"$careers_asks:$args"', 'has_query', [
    ['default', '""'],
    ['"~^(?:query|workspace):."', '1'],
  ]),
  toMap('"$careers_asks:$http_x_workspace"', 'has_workspace', [
    ['default', '""'],
    ['"~^workspace:."', '1'],
  ]),
  toMap('$https', 'hsts', [
    ['default', '""'],
    ['on', '"max-age=63072000"'],
  ]),
  ...maps,
].join('\n')}
server {
  listen 8080;
  root /srv/careers;

  server_tokens off;
  merge_slashes off;
  etag on;
  gzip_static on;
  gzip_vary on;
  # With the brotli module: brotli_static on;
  types { }
  default_type "";
  set $careers_path $uri;

  error_page 401 @workspace;
  error_page 403 404 @nothing;
  error_page 405 @method;

  if ($request_method !~ ^(GET|HEAD|OPTIONS)$) {
    return 405;
  }
  if ($careers_has_workspace) {
    return 401;
  }
  if ($careers_has_query) {
    return 404;
  }

  location / {
    if ($request_method = OPTIONS) {
${preflightLines.join('\n')}
      ${hsts}
      return 204;
    }
    try_files $careers_file =404;
    add_header Content-Type $careers_type;
${lines.join('\n')}
    ${hsts}
  }

${[
  toErrorLocation('@workspace', toRefusalReply(new Refusal('unknown_workspace'))),
  toErrorLocation('@nothing', toNothingHere()),
  toErrorLocation('@method', toRefusalReply(method)),
].join('\n')}}
`;
}
