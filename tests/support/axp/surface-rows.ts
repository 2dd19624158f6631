import type { Body } from '../http.ts';
import { isOk, type Row, tell, toEndpoints, type Verdict, type Visit } from './visit.ts';

const isText = (value: unknown): value is string => typeof value === 'string';

export function judgeLlms({ llms }: Visit): Verdict {
  const { text } = llms;
  const isFit = isOk(llms) && /^#\s+\S/m.test(text) && text.trim().length >= 80 && !text.startsWith('<');
  return isFit ? undefined : tell(llms);
}

export function judgeCard({ card }: Visit): Verdict {
  return isOk(card) && isText(card.body?.name) ? undefined : tell(card);
}

export function judgeOpenApi({ openapi }: Visit): Verdict {
  const { openapi: version, swagger, paths } = openapi.body ?? {};
  const isContract = (isText(version) || isText(swagger)) && typeof paths === 'object' && paths !== null;
  return isOk(openapi) && isContract ? undefined : tell(openapi);
}

export function judgeKeylessFlow({ candidates, samples }: Visit): Verdict {
  if (candidates.length === 0) return 'no GET can be called without anything';
  return samples.some(isOk) ? undefined : samples.map(tell).join('\n');
}

function judgeContract(visit: Visit): Verdict {
  const contract = visit.openapi.body;
  const operations = Object.values((contract?.paths ?? {}) as Record<string, Body>).flatMap(Object.keys);
  if (!String(contract?.openapi).startsWith('3.1')) return `openapi is ${contract?.openapi}`;
  return operations.length > 0 ? judgeOpenApi(visit) : 'no operation';
}

function judgeInterfaces({ card: { body: card }, llms }: Visit): Verdict {
  const { http, mcp } = card?.interfaces ?? {};
  const hasTools = mcp && (mcp.url || mcp.command || mcp.tools?.length > 0);
  if (toEndpoints(card).length === 0 && !hasTools) return `no interface: ${JSON.stringify(http)}`;
  if (!isText(card.openapi)) return 'the card names no openapi';
  if (!isText(card.llms)) return 'the card names no llms at its top level';
  if (!isOk(llms)) return tell(llms);
  const missing = ['agents.json', 'openapi'].filter((word) => !llms.text.includes(word));
  return missing.length > 0 ? `llms.txt does not mention ${missing}` : undefined;
}

export type Probe = { url: string; method?: string; param?: string };

/** The entries of one channel of the card's probes. */
export function toProbes({ card }: Visit, channel: string): Probe[] {
  const entries = [card.body?.probes?.[channel] ?? []].flat() as Probe[];
  return entries.filter(({ url }) => isText(url));
}

/** What the pricing document says of itself. */
export const isMetered = ({ pricing }: Visit) => pricing.body?.model !== 'free';

function judgeEntry({ url, method = 'GET' }: Probe, { wire, openapi, card }: Visit): Verdict {
  const target = new URL(url, wire.origin);
  if (target.origin !== wire.origin) return `${url} is at another origin`;
  if (method !== 'GET') return `${url} is not a GET`;
  const paths = toEndpoints(card.body).map((entry) => new URL(String(entry.url), wire.origin).pathname);
  const isKnown = openapi.body?.paths?.[target.pathname] || paths.includes(target.pathname);
  return isKnown ? undefined : `${url} is no operation of the contract or the card`;
}

function judgeManifest(visit: Visit): Verdict {
  const probes = visit.card.body?.probes;
  if (typeof probes !== 'object' || probes === null) return 'the card has no probes';
  const urlsOf = (channel: string) => [
    ...new Set(toProbes(visit, channel).map(({ url }) => new URL(url, visit.wire.origin).href)),
  ];
  const wanted = { keyless: 1, pricing: 1, knownEmpty: 2, knownForbidden: 2 };
  for (const [channel, least] of Object.entries(wanted)) {
    if (urlsOf(channel).length < least) return `${channel} has fewer than ${least} addresses`;
  }
  const shared = urlsOf('knownEmpty').find((url) => urlsOf('knownForbidden').includes(url));
  if (shared) return `${shared} is both empty and forbidden`;
  if (isMetered(visit)) {
    if (!toProbes(visit, 'overCeiling').some(({ param }) => param)) return 'overCeiling names no param';
    if (!isText(visit.card.body.monetization?.probe?.url)) return 'no monetization.probe';
  }
  return Object.keys(probes)
    .flatMap((channel) => toProbes(visit, channel).map((entry) => judgeEntry(entry, visit)))
    .find((verdict) => verdict);
}

/** A row about an interface that need not be there: an unreadable card cannot say that it is not. */
const optionalRow = (id: string, name: string): Row => ({
  id,
  check({ card }) {
    const { interfaces } = card.body ?? {};
    if (!isOk(card) || typeof interfaces !== 'object' || interfaces === null) return tell(card);
    return name in interfaces ? `${name} is declared` : undefined;
  },
});

/** What is published, and whether the documents know each other. */
export const surfaceRows: readonly Row[] = [
  { id: 'llms-present', check: judgeLlms },
  { id: 'agents-present', check: judgeCard },
  { id: 'openapi-valid', check: judgeContract },
  { id: 'check-agents-json', check: judgeCard },
  { id: 'check-keyless-flow', check: judgeKeylessFlow },
  { id: 'check-card-interfaces-linked', check: judgeInterfaces },
  { id: 'probe-manifest-valid', check: judgeManifest },
  optionalRow('check-digital-link-resolver', 'digitalLink'),
];
