import { createAnswer } from '../kernel/answer.ts';
import type { Call } from '../kernel/call.ts';
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

/** What never changes and is no record: documents, guides and the list of occupations. */
const isDocument = (row: Operation) => row.caching.frozen && row.caching.rule === 'public' && !hasId(row);

/** The resources of resources/list (MCP 2026-07-28, Resources). The URI of one is its address over HTTP. */
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

/** What is read at a URI: the type that it is told with, if it is one of ours. */
function findMimeType(uri: unknown, service: McpService): string | undefined {
  if (typeof uri !== 'string') return undefined;
  const known = collectResources(service).find((one) => one.uri === uri);
  if (known) return known.mimeType;
  const before = service.settings.baseUrl + occupations;
  const isOccupation = uri.startsWith(before) && service.occupationByCode.has(uri.slice(before.length));
  return isOccupation ? 'application/json' : undefined;
}

/** What HTTP answers at a path that is frozen: as the host has it, else as the core makes it. */
async function readText(service: McpService, path: string, call: Call): Promise<string> {
  // Until then a host has what the build left.
  await service.watch.isReady?.();
  await service.platform.pause(call.client);
  const frozen = service.frozenText?.(path);
  return frozen ?? (await replay(createAnswer(service), path)).body;
}

/** The bytes that HTTP answers at the same address. */
export async function readResource(
  { params: { uri } }: RpcMessage,
  service: McpService,
  call: Call,
): Promise<object> {
  const mimeType = findMimeType(uri, service);
  if (mimeType === undefined) {
    const message =
      'Unknown resource: see resources/list and resources/templates/list for the URIs there are.';
    throw invalidParams(message, { uri: typeof uri === 'string' ? cutExcerpt(uri) : null });
  }
  const text = await readText(service, (uri as string).slice(service.settings.baseUrl.length), call);
  return { contents: [{ uri, mimeType, text }] };
}
