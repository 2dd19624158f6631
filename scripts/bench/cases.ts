import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './processes.ts';
import { get, post, type Wire } from './wire.ts';

/** Who else answers. `http` is our own server, asked for the same by HTTP. */
export type PeerName =
  | 'raw'
  | 'raw 200'
  | 'nginx'
  | 'bare'
  | 'fastify'
  | 'fastify map'
  | 'hono'
  | 'sdk'
  | 'http';

/** A ratio of answers a second to a peer's, or a figure of our own. */
export type Goal =
  | { against: PeerName; atLeast: number }
  | { figure: 'rate'; atLeast: number }
  | { figure: 'p99'; atMost: number };

/** One thing that is measured. */
export interface Case {
  name: string;
  title: string;
  requests: Wire[];
  /** 32 unless said. */
  connections?: number;
  peers: { name: PeerName; requests?: Wire[] }[];
  /** What must be the same in every answer: the bytes, the JSON, or the members and their types. */
  same: 'bytes' | 'json' | 'shape';
  /** Answered by the core: measured with the default log and without one. */
  live: boolean;
  goals: Goal[];
}

const compressed = { 'Accept-Encoding': 'gzip, deflate, br, zstd' };
const documents = [
  ['pricing', '/pricing'],
  ['card', '/.well-known/agents.json'],
  ['occupation', '/occupations/15-1252.00'],
  ['occupations', '/occupations'],
] as const;

const frozen = documents.flatMap(([name, path]) =>
  [
    { suffix: '', headers: {} },
    { suffix: ' br', headers: compressed },
  ].map(
    ({ suffix, headers }): Case => ({
      name: name + suffix,
      title: `${path}${suffix && ', brotli'}`,
      requests: [get(path, headers)],
      peers: [{ name: 'raw' }, { name: 'nginx' }],
      same: 'bytes',
      live: false,
      goals: [
        { against: 'raw', atLeast: 0.95 },
        { against: 'nginx', atLeast: 0.85 },
      ],
    }),
  ),
);

const toListCase = (name: string, path: string): Case => ({
  name,
  title: `GET ${path}`,
  requests: [get(path)],
  peers: [{ name: 'bare' }, { name: 'fastify' }, { name: 'hono' }],
  same: 'json',
  live: true,
  goals: [
    { against: 'bare', atLeast: 0.95 },
    { against: 'fastify', atLeast: 1 },
    { against: 'hono', atLeast: 1 },
  ],
});

/** About 4,000 titles and alternate titles, spread over all of them. */
function toSearches(): Wire[] {
  const index = JSON.parse(readFileSync(join(root, 'dist/host/search-index.json'), 'utf8'));
  const titles = (index.occupations as [string, string, string[]][]).flatMap(([, title, others]) => [
    title,
    ...others,
  ]);
  const every = Math.max(1, Math.floor(titles.length / 4000));
  return titles
    .filter((_, place) => place % every === 0)
    .map((title) => get(`/occupations?q=${encodeURIComponent(title)}`));
}

export const creates: Wire[] = Array.from({ length: 64 }, (_, index) =>
  post('/candidates', {
    name: `Candidate ${index}`,
    onetCode: index % 2 ? '15-1252.00' : '29-1141.00',
    skills: ['SQL', 'TypeScript'],
    metro: 'Columbus, OH',
  }),
);

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

const sameByHttp = [get('/placements?status=completed&limit=20')];

/** The raw limit answers both what the tool does and, as 'raw 200', what HTTP does: no door can do better. */
const toToolCase = (version: string, request: Wire): Case => ({
  name: `tool ${version}`,
  title: `tools/call listPlacements (MCP ${version})`,
  requests: [request],
  peers: [
    { name: 'http', requests: sameByHttp },
    { name: 'sdk' },
    { name: 'raw' },
    { name: 'raw 200', requests: sameByHttp },
  ],
  same: 'json',
  live: true,
  goals: [
    { against: 'http', atLeast: 0.7 },
    { against: 'sdk', atLeast: 5 },
  ],
});

/** Everything that is measured under load. `etag` is that of /pricing. Needs a build. */
export function toCases(etag: string): Case[] {
  return [
    ...frozen,
    {
      name: '304',
      title: '/pricing, If-None-Match: 304',
      requests: [get('/pricing', { 'If-None-Match': etag })],
      peers: [{ name: 'raw' }, { name: 'raw 200', requests: [get('/pricing')] }],
      same: 'bytes',
      live: false,
      goals: [
        { against: 'raw', atLeast: 1 },
        { against: 'raw 200', atLeast: 1 },
      ],
    },
    toListCase('placements', '/placements?status=completed'),
    toListCase('candidates', '/candidates?occupation=29-1141.00'),
    {
      name: 'search',
      title: 'GET /occupations?q= over all titles',
      requests: toSearches(),
      peers: [],
      same: 'json',
      live: true,
      goals: [
        { figure: 'rate', atLeast: 5000 },
        { figure: 'p99', atMost: 2 },
      ],
    },
    {
      name: 'search alone',
      title: 'GET /occupations?q=, one connection',
      requests: toSearches(),
      connections: 1,
      peers: [],
      same: 'json',
      live: true,
      goals: [{ figure: 'p99', atMost: 2 }],
    },
    {
      name: 'create',
      title: 'POST /candidates, flushed before 201',
      requests: creates,
      peers: [{ name: 'fastify' }, { name: 'fastify map' }, { name: 'bare' }],
      same: 'shape',
      live: true,
      goals: [
        { against: 'fastify', atLeast: 8 },
        { against: 'fastify map', atLeast: 0.5 },
      ],
    },
    toToolCase('2026-07-28', modernCall),
    toToolCase('2025-11-25', legacyCall),
  ];
}
