import { createAnswer } from '../kernel/answer.ts';
import { cutExcerpt } from '../kernel/envelope.ts';
import { replay } from '../kernel/freeze.ts';
import { hasId, type Operation } from '../kernel/operation.ts';
import { invalidParams, type RpcMessage } from './json-rpc.ts';
import type { McpService } from './service.ts';

const occupations = '/occupations/';
/** The variable in the template of an occupation. */
export const codeArgument = 'code';

export const formatUriTemplate = ({ settings }: McpService) =>
  `${settings.baseUrl}${occupations}{${codeArgument}}`;

/** Whether an operation replies with a fixed text that is no record: a document or the list of occupations. */
const isDocument = (row: Operation) => row.caching.frozen && row.caching.rule === 'public' && !hasId(row);

/** Returns the resources of resources/list (MCP 2026-07-28, Resources). The URI of each is its address over HTTP. */
function collectResources(service: McpService) {
  const { operations, catalogue, settings } = service;
  const documents = operations.filter(isDocument).flatMap((row) =>
    row.caching.frozen!(service).map((path) => ({
      uri: settings.baseUrl + path,
      name: row.operationId,
      title: row.contract.summary,
      description: row.contract.description,
      mimeType: row.contract.replies[200]?.type ?? 'application/json',
    })),
  );
  const guides = catalogue.guides.map(({ name, title, summary, links }) => ({
    uri: settings.baseUrl + links.markdown,
    name: `guide-${name}`,
    title,
    description: summary,
    mimeType: 'text/markdown',
  }));
  return [...documents, ...guides];
}

export const listResources = (_: RpcMessage, service: McpService) => ({
  resources: collectResources(service),
});

export const listTemplates = (_: RpcMessage, service: McpService) => ({
  resourceTemplates: [
    {
      uriTemplate: formatUriTemplate(service),
      name: 'getOccupation',
      title: 'Occupation by code',
      description:
        'Skills, technologies and related occupations of an O*NET-SOC code; the code is completed by title.',
      mimeType: 'application/json',
    },
  ],
});

/** Returns the media type of the resource at a URI, or undefined if there is none. */
function findMimeType(uri: unknown, service: McpService): string | undefined {
  if (typeof uri !== 'string') return undefined;
  const known = collectResources(service).find((resource) => resource.uri === uri);
  if (known) return known.mimeType;
  const prefix = service.settings.baseUrl + occupations;
  const isOccupation = uri.startsWith(prefix) && service.occupationByCode.has(uri.slice(prefix.length));
  return isOccupation ? 'application/json' : undefined;
}

/** Returns the text that HTTP replies with at a frozen path: the host's copy, or one that is computed now. */
async function readText(service: McpService, path: string): Promise<string> {
  // Until a host is ready, it holds the copies that the build made.
  await service.watch.isReady?.();
  const frozen = service.frozenText?.(path);
  return frozen ?? (await replay(createAnswer(service), path)).body;
}

/** resources/read: the text that HTTP replies with at the same address. Throws an RpcError if there is none. */
export async function readResource({ params: { uri } }: RpcMessage, service: McpService): Promise<object> {
  const mimeType = findMimeType(uri, service);
  if (mimeType === undefined) {
    const message =
      'Unknown resource: see resources/list and resources/templates/list for the URIs there are.';
    throw invalidParams(message, { uri: typeof uri === 'string' ? cutExcerpt(uri) : null });
  }
  const text = await readText(service, (uri as string).slice(service.settings.baseUrl.length));
  return { contents: [{ uri, mimeType, text }] };
}
