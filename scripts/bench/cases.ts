import { batch, creates, legacyCall, modernCall, toSearches } from './requests.ts';
import { get, post, type Wire } from './wire.ts';

/** Who else answers. `http` is our own server, asked for the same by HTTP. */
export type PeerName =
  | 'raw'
  | 'raw 200'
  | 'raw logged'
  | 'nginx'
  | 'bare'
  | 'fastify'
  | 'fastify map'
  | 'hono'
  | 'sdk'
  | 'map'
  | 'http';

/** A ratio to a peer of what is done in a second, or a figure of our own. */
export type Goal =
  | { against: PeerName; atLeast: number }
  | { figure: 'rate'; atLeast: number }
  | { figure: 'p99'; atMost: number };

/** One thing that is measured. */
export interface Case {
  name: string;
  title: string;
  requests: Wire[];
  /** What is created first in a workspace of its own on each server; every request then carries its id. */
  own?: Wire[];
  /** How many things one of our answers does, where a peer's does one; 1 unless said. */
  each?: number;
  /** 32 unless said. */
  connections?: number;
  peers: { name: PeerName; requests?: Wire[] }[];
  /** What must be the same in every answer: the bytes, the JSON, the members and their types, or nothing. */
  same: 'bytes' | 'json' | 'shape' | 'nothing';
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
  peers: [{ name: 'raw' }, { name: 'raw logged' }, { name: 'bare' }, { name: 'fastify' }, { name: 'hono' }],
  same: 'json',
  live: true,
  goals: [
    { against: 'raw', atLeast: 0.95 },
    { against: 'bare', atLeast: 0.95 },
    { against: 'fastify', atLeast: 1 },
    { against: 'hono', atLeast: 1 },
  ],
});

const toBatchCase = (name: string, connections: number): Case => ({
  name,
  title: `POST /batch of 100 candidates, by record, ${connections} connection${connections > 1 ? 's' : ''}`,
  requests: [post('/batch', batch)],
  each: batch.candidates.length,
  connections,
  peers: [{ name: 'http', requests: creates }],
  same: 'nothing',
  live: false,
  goals: [{ against: 'http', atLeast: 15 }],
});

const sameByHttp = [get('/placements?status=completed&limit=20')];

const toToolCase = (version: string, request: Wire): Case => ({
  name: `tool ${version}`,
  title: `tools/call listPlacements (MCP ${version})`,
  requests: [request],
  peers: [{ name: 'http', requests: sameByHttp }, { name: 'sdk' }, { name: 'raw logged' }],
  same: 'json',
  live: true,
  goals: [
    { against: 'http', atLeast: 0.75 },
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
      title: 'GET /occupations?q= of 10,000 titles, 8 connections',
      requests: toSearches(10_000),
      connections: 8,
      peers: [],
      same: 'json',
      live: true,
      goals: [
        { figure: 'rate', atLeast: 1500 },
        { figure: 'p99', atMost: 15 },
      ],
    },
    {
      name: 'asked often',
      title: 'GET /occupations?q= of the 1,000 asked most',
      requests: toSearches(1000),
      peers: [{ name: 'raw' }, { name: 'raw logged' }],
      same: 'json',
      live: true,
      goals: [{ against: 'raw', atLeast: 0.9 }],
    },
    {
      name: 'own list',
      title: 'GET /candidates?limit=20 in a workspace of 20',
      requests: [get('/candidates?limit=20')],
      own: creates.slice(0, 20),
      peers: [{ name: 'map' }],
      same: 'shape',
      live: true,
      goals: [{ against: 'map', atLeast: 0.8 }],
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
    toBatchCase('batch', 1),
    toBatchCase('batch 8', 8),
    toToolCase('2026-07-28', modernCall),
    toToolCase('2025-11-25', legacyCall),
  ];
}
