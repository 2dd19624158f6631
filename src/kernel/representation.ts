import type { CallHeaders } from './call.ts';
import type { Operation } from './operation.ts';
import { formatRepresentationPath, listSuffixes, type Suffix } from './router.ts';

/** Matches the User-Agent of agents that read Markdown. */
export const markdownAgents =
  /claude-user|claudebot|claude-web|anthropic|chatgpt-user|gptbot|oai-searchbot|perplexity|google-extended|gemini|cohere-ai|mistralai|bytespider|amazonbot|applebot-extended|meta-externalagent|duckassistbot|youbot|ai2bot|ccbot/i;

function representationOf(type: string): Suffix | undefined {
  if (type === 'text/html' || type === 'application/xhtml+xml') return 'html';
  if (type === 'text/markdown') return 'md';
  return type === 'application/json' || type.endsWith('+json') ? 'json' : undefined;
}

const join = (value: string | string[] | undefined) =>
  Array.isArray(value) ? value.join(',') : (value ?? '');

/** How many characters of a header are read. Reading 16 KB would take longer than answering fifty requests. */
const mostRead = 1000;

/** Returns the names in a header in lower case, with their q-values (RFC 9110 section 12.4.2), 1 by default. */
export function parsePreferences(header: string): [name: string, q: number][] {
  const isLong = header.length > mostRead;
  return (isLong ? header.slice(0, Math.max(0, header.lastIndexOf(',', mostRead))) : header)
    .toLowerCase()
    .split(',')
    .map((part) => {
      const [name = '', ...parameters] = part.split(';').map((piece) => piece.trim());
      const q = parameters.find((parameter) => parameter.startsWith('q='));
      return [name, q === undefined ? 1 : Number(q.slice(2))];
    });
}

/** The representation with the highest q-value in Accept (RFC 9110 section 12.5.1), the first of equals. */
function parseAccept(accept: string): Suffix | undefined {
  let best: Suffix | undefined;
  let bestQ = 0;
  for (const [type, q] of parsePreferences(accept)) {
    const representation = representationOf(type);
    if (representation && q > bestQ && q <= 1) [best, bestQ] = [representation, q];
  }
  return best;
}

/**
 * Negotiates the representation of `/`. An explicit Accept decides. Without one, a known agent gets Markdown, a browser
 * HTML (by Sec-Fetch-Dest), and all others JSON.
 */
export function negotiateHome(headers: CallHeaders): Suffix {
  const accepted = parseAccept(join(headers.accept));
  if (accepted) return accepted;
  if (markdownAgents.test(join(headers['user-agent']))) return 'md';
  return join(headers['sec-fetch-dest']) === 'document' ? 'html' : 'json';
}

const discovery = [
  '</.well-known/api-catalog>; rel="api-catalog"',
  '</openapi.json>; rel="service-desc"; type="application/json"',
  '</llms.txt>; rel="describedby"; type="text/plain"',
  '</.well-known/agents.json>; rel="service-meta"; type="application/json"',
];

const types = { json: 'application/json', md: 'text/markdown', html: 'text/html' } as const;

/** The Link header (RFC 8288) that names every representation of a resource, including the one at this address. */
export function formatRepresentationLinks(operation: Operation, path: string): { Link?: string } {
  const suffixes = listSuffixes(operation);
  if (suffixes.length < 2) return {};
  const alternates = suffixes.map(
    (suffix) => `<${formatRepresentationPath(path, suffix)}>; rel="alternate"; type="${types[suffix]}"`,
  );
  return { Link: [...alternates, ...(path === '/' ? discovery : [])].join(', ') };
}

/** Adds a line below the heading of a Markdown text that leads a model to everything else (llms.txt). */
export function withIndex(markdown: string): string {
  return markdown.replace('\n\n', '\n\n> Everything here, listed for a model: [llms.txt](/llms.txt)\n\n');
}
