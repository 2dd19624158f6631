import { occupationFacts } from '../onet/occupation-facts.ts';
import { get, post, type Wire } from './wire.ts';

/** So many titles and alternate titles, no two alike, spread over all of them. */
export function toSearches(count: number): Wire[] {
  const titles = occupationFacts.flatMap(({ title, alternateTitles = [] }) => [title, ...alternateTitles]);
  const different = [...new Set(titles)];
  return Array.from({ length: count }, (_, place) => {
    const title = different[Math.floor((place * different.length) / count)]!;
    return get(`/occupations?q=${encodeURIComponent(title)}`);
  });
}

export const creates: Wire[] = Array.from({ length: 64 }, (_, index) =>
  post('/candidates', {
    name: `Candidate ${index}`,
    onetCode: index % 2 ? '15-1252.00' : '29-1141.00',
    skills: ['SQL', 'TypeScript'],
    metro: 'Columbus, OH',
  }),
);

/** A batch of a hundred of them. */
export const batch = {
  candidates: Array.from({ length: 100 }, (_, index) => JSON.parse(creates[index % creates.length]!.body!)),
};

const call = { name: 'listPlacements', arguments: { status: 'completed' } };
const meta = 'io.modelcontextprotocol';
const toRpc = (params: object) => ({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });

export const modernCall = post(
  '/mcp',
  toRpc({
    ...call,
    _meta: { [`${meta}/protocolVersion`]: '2026-07-28', [`${meta}/clientCapabilities`]: {} },
  }),
  { 'MCP-Protocol-Version': '2026-07-28', 'Mcp-Method': 'tools/call', 'Mcp-Name': call.name },
);
export const legacyCall = post('/mcp', toRpc(call), { 'MCP-Protocol-Version': '2025-11-25' });
