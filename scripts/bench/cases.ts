import { occupationFacts } from '../onet/occupation-facts.ts';
import { candidates, creates, get, modern, post, toCall, type Wire } from './wire.ts';

/** Everybody who answers beside our server. `http` is our own server, asked for the same by HTTP. */
export const peerTitles = {
  raw: 'node:http sending a constant',
  'raw 200': 'node:http sending the document',
  'raw logged': 'node:http sending a constant, with our log',
  nginx: 'nginx',
  bare: 'node:http by hand',
  map: 'node:http from a Map',
  fastify: 'Fastify',
  'fastify map': 'Fastify with a Map',
  hono: 'Hono',
  sdk: 'the MCP SDK',
  http: 'the same by HTTP',
};
export type PeerName = keyof typeof peerTitles;

/** One thing that is measured under load. */
export interface Case {
  title: string;
  requests: Wire[];
  /** What is created first in a workspace of its own on each server; every request then carries its id. */
  own?: Wire[];
  /** How many things one of our answers does, where a peer's does one; 1 unless said. */
  each?: number;
  /** 32 unless said. */
  connections?: number;
  /** `atLeast`: the goal, our rate as a ratio of the peer's. `requests`: where the peer is asked for something else. */
  peers: { name: PeerName; atLeast?: number; requests?: Wire[] }[];
  /** The goals of a case that no peer does: answers a second, and milliseconds. */
  rate?: number;
  p99?: number;
  /** What must be the same in every answer: the bytes, the JSON, the members and their types, or nothing. */
  same: 'bytes' | 'json' | 'shape' | 'nothing';
  /** Answered by the core: measured with the default log and without one. */
  live?: boolean;
}

/** `count` searches for titles and alternate titles, no two alike, spread over all of them. */
export function toSearches(count: number): Wire[] {
  const titles = occupationFacts.flatMap(({ title, alternateTitles = [] }) => [title, ...alternateTitles]);
  const different = [...new Set(titles)];
  return Array.from({ length: count }, (_, place) => {
    const title = different[Math.floor((place * different.length) / count)]!;
    return get(`/occupations?q=${encodeURIComponent(title)}`);
  });
}

const toFrozenCase = (path: string, coding = ''): Case => ({
  title: coding ? `${path}, brotli` : path,
  requests: [get(path, coding ? { 'Accept-Encoding': coding } : {})],
  peers: [
    { name: 'raw', atLeast: 0.95 },
    { name: 'nginx', atLeast: 0.85 },
  ],
  same: 'bytes',
});

const compressed = 'gzip, deflate, br, zstd';
const toFrozenCases = (name: string, path: string): Record<string, Case> => ({
  [name]: toFrozenCase(path),
  [`${name} br`]: toFrozenCase(path, compressed),
});

const toListCase = (path: string): Case => ({
  title: `GET ${path}`,
  requests: [get(path)],
  peers: [
    { name: 'raw', atLeast: 0.95 },
    { name: 'raw logged' },
    { name: 'bare', atLeast: 0.95 },
    { name: 'fastify', atLeast: 1 },
    { name: 'hono', atLeast: 1 },
  ],
  same: 'json',
  live: true,
});

const toBatchCase = (connections: number): Case => ({
  title: `POST /batch of 100 candidates, by record, ${connections} connection${connections > 1 ? 's' : ''}`,
  requests: [post('/batch', { candidates })],
  each: candidates.length,
  connections,
  peers: [{ name: 'http', requests: creates, atLeast: 15 }],
  same: 'nothing',
});

const call = { name: 'listPlacements', arguments: { status: 'completed' } };
const toToolCase = (version: string, params: object, headers: Record<string, string> = {}): Case => ({
  title: `tools/call listPlacements (MCP ${version})`,
  requests: [toCall({ ...call, ...params }, { 'MCP-Protocol-Version': version, ...headers })],
  peers: [
    { name: 'http', requests: [get('/placements?status=completed&limit=20')], atLeast: 0.75 },
    { name: 'sdk', atLeast: 5 },
    { name: 'raw logged' },
  ],
  same: 'json',
  live: true,
});

/** Everything that is measured under load, by name. `etag` is that of /pricing. */
export const toCases = (etag: string): Record<string, Case> => ({
  ...toFrozenCases('pricing', '/pricing'),
  ...toFrozenCases('card', '/.well-known/agents.json'),
  ...toFrozenCases('occupation', '/occupations/15-1252.00'),
  ...toFrozenCases('occupations', '/occupations'),

  'pricing 304': {
    title: '/pricing, If-None-Match: 304',
    requests: [get('/pricing', { 'If-None-Match': etag })],
    peers: [
      { name: 'raw', atLeast: 1 },
      { name: 'raw 200', requests: [get('/pricing')], atLeast: 1 },
    ],
    same: 'bytes',
  },
  placements: toListCase('/placements?status=completed'),
  candidates: toListCase('/candidates?occupation=29-1141.00'),
  search: {
    title: 'GET /occupations?q= of 10,000 titles, 8 connections',
    requests: toSearches(10_000),
    connections: 8,
    peers: [],
    rate: 1500,
    p99: 15,
    same: 'json',
    live: true,
  },
  'asked often': {
    title: 'GET /occupations?q= of the 1,000 asked most',
    requests: toSearches(1000),
    peers: [{ name: 'raw', atLeast: 0.9 }, { name: 'raw logged' }],
    same: 'json',
    live: true,
  },
  'own list': {
    title: 'GET /candidates?limit=20 in a workspace of 20',
    requests: [get('/candidates?limit=20')],
    own: creates.slice(0, 20),
    peers: [{ name: 'map', atLeast: 0.8 }],
    same: 'shape',
    live: true,
  },
  create: {
    title: 'POST /candidates, flushed before 201',
    requests: creates,
    peers: [
      { name: 'fastify', atLeast: 8 },
      { name: 'fastify map', atLeast: 0.5 },
    ],
    same: 'shape',
    live: true,
  },
  batch: toBatchCase(1),
  'batch 8': toBatchCase(8),
  'tool 2026-07-28': toToolCase(
    '2026-07-28',
    { _meta: modern },
    { 'Mcp-Method': 'tools/call', 'Mcp-Name': call.name },
  ),
  'tool 2025-11-25': toToolCase('2025-11-25', {}),
});
