import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { toNothingHere, toRefusalReply } from '../../kernel/answer.ts';
import type { Reply } from '../../kernel/call.ts';
import type { FrozenAddress, Manifest } from '../../kernel/freeze.ts';
import { preflight } from '../../kernel/headers.ts';
import { Refusal, toMethodRefusal } from '../../kernel/refusal.ts';
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

/** A quoted nginx string. A dollar would be read as a variable, and cannot be escaped. */
function toNginxText(text: string): string {
  if (text.includes('$')) throw new Error(`nginx cannot hold this text: ${text}`);
  return `"${text.replace(/["\\]/g, '\\$&')}"`;
}

/** The same, with the id that a regular expression caught. */
const toNginxTextWithId = (text: string) => toNginxText(text).replaceAll('{id}', '$careers_id');

function toKey({ address }: Rule): string {
  if (!address.includes('{id}')) return `"${address}"`;
  const literal = address.replace(/[.*+?^$()|[\]\\]/g, '\\$&');
  return `"~^${literal.replace('{id}', '(?<careers_id>[^/]+)')}$"`;
}

/** A map of one value by address; what has none is `fallback`. */
function toMap(
  name: string,
  fallback: string,
  rules: readonly Rule[],
  toValue: (rule: Rule) => string | undefined,
): string {
  const lines = rules.flatMap((rule) => {
    const value = toValue(rule);
    return value === undefined ? [] : [`  ${toKey(rule)} ${value};\n`];
  });
  return `map $careers_key $careers_${name} {\n  default ${fallback};\n${lines.join('')}}`;
}

const toVariable = (header: string) => header.toLowerCase().replaceAll('-', '_');

/** The representations of `/`, each under its own name: no path is without a slash. */
function toHomeRules({ home, files }: Manifest): Rule[] {
  return Object.entries(home).map(([representation, headers]) => {
    const file = `/index.${representation}`;
    return { address: representation, file, type: files[file]!.type, headers };
  });
}

/** What the core would read at an address beside the path. */
function whatItAsks({ ignoresQuery, perWorkspace }: Rule): string {
  if (ignoresQuery) return 'nothing';
  return perWorkspace ? 'workspace' : 'query';
}

const toHeaderLines = (headers: Record<string, string>, always = '') =>
  Object.entries(headers).map(([name, value]) => `add_header ${name} ${toNginxText(value)}${always};`);

/** The lines of a location that answers an error of nginx. */
function toErrorLines({ status, headers, body }: Reply): string[] {
  const { 'Content-Type': type, ...others } = headers;
  return [
    `default_type ${toNginxText(type!)};`,
    ...toHeaderLines(others, ' always'),
    'add_header Strict-Transport-Security $careers_hsts always;',
    `return ${status} ${toNginxText(body)};`,
  ];
}

const allow = 'GET, HEAD, OPTIONS';

/**
 * The nginx configuration of a static preview, for inclusion in `http`: files with the types, headers and
 * suffix-less addresses of the manifest. What only a live service can answer is refused with the
 * envelope of the core: a query 404, a workspace 401, another method 405.
 */
export function toNginxConf(ofManifest: readonly Rule[], manifest: Manifest): string {
  const rules = [...toHomeRules(manifest), ...ofManifest];
  const names = [...new Set(rules.flatMap(({ headers }) => Object.keys(headers)))];
  const maps = [
    toMap('file', '/.none', rules, ({ file }) => toNginxTextWithId(file)),
    toMap('type', '""', rules, ({ type }) => toNginxText(type)),
    toMap('asks', 'query', rules, whatItAsks),
    ...names.map((name) =>
      toMap(toVariable(name), '""', rules, ({ address, headers }) => {
        // A shape says that it has none, or the next one that fits would speak for it.
        const value = headers[name] ?? (address.includes('{id}') ? '' : undefined);
        return value === undefined ? undefined : toNginxTextWithId(value);
      }),
    ),
  ];
  const parts: Record<string, string[]> = {
    'markdown agents': [markdownAgents.source],
    maps,
    // An empty value is not sent.
    headers: names.map((name) => `add_header ${name} $careers_${toVariable(name)};`),
    'preflight headers': toHeaderLines({ ...preflight, Allow: allow }),
    'unknown workspace': toErrorLines(toRefusalReply(new Refusal('unknown_workspace'))),
    'nothing here': toErrorLines(toNothingHere()),
    'other method': toErrorLines(toRefusalReply(toMethodRefusal(allow))),
  };
  const template = readFileSync(join(import.meta.dirname, 'static-nginx.conf'), 'utf8');
  return template.replace(/( *)(.*)\{\{([a-z ]+)\}\}/g, (_, indent, before, name) =>
    parts[name]!.map((line) => indent + before + line).join('\n'),
  );
}
