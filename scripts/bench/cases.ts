import { occupationFacts } from '../onet/occupation-facts.ts';
import { candidates, creates, get, post, toCall, type Wire } from './wire.ts';

/** The servers that ours is compared with. `http` is our own server, called by HTTP for the same. */
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

/** A case that is measured under load. */
export interface Case {
  title: string;
  requests: Wire[];
  /** What to create first in a new workspace on each server. Every request then sends the id of that workspace. */
  own?: Wire[];
  /** How many of a peer's answers one of ours replaces. The default is 1. */
  each?: number;
  /** The default is 32. */
  connections?: number;
  /** The goals: the lowest ratio of our rate to the peer's. 0 means no goal. */
  peers: Partial<Record<PeerName, number>>;
  /** Other requests for a peer. */
  asks?: Partial<Record<PeerName, Wire[]>>;
  /** The goals of a case without peers: answers per second, and milliseconds. */
  rate?: number;
  p99?: number;
  /** What must be equal in all answers: the bytes, the JSON, the members and their types (`shape`), or nothing. */
  same: 'bytes' | 'json' | 'shape' | 'nothing';
  /** Whether the core answers. Such a case is measured with the default log and without a log. */
  live?: boolean;
}

/** Returns `count` different titles and alternate titles, spread evenly over all of them. */
export function toTitles(count: number): string[] {
  const titles = occupationFacts.flatMap(({ title, alternateTitles = [] }) => [title, ...alternateTitles]);
  const different = [...new Set(titles)];
  return Array.from({ length: count }, (_, at) => different[Math.floor((at * different.length) / count)]!);
}

/** Returns a search for each of `count` titles. */
export const toSearches = (count: number): Wire[] =>
  toTitles(count).map((title) => get(`/occupations?q=${encodeURIComponent(title)}`));

const compressed = { 'Accept-Encoding': 'gzip, deflate, br, zstd' };
/** Returns the cases of a document: plain and compressed. */
const toFrozenCases = (name: string, path: string): Record<string, Case> => {
  const frozen = { peers: { raw: 0.85, nginx: 0 }, same: 'bytes' } as const;
  return {
    [name]: { ...frozen, title: path, requests: [get(path)] },
    [`${name} br`]: { ...frozen, title: `${path}, brotli`, requests: [get(path, compressed)] },
  };
};

const toListCase = (path: string): Case => ({
  title: `GET ${path}`,
  requests: [get(path)],
  peers: { raw: 0.75, 'raw logged': 0, bare: 0, fastify: 1, hono: 1 },
  same: 'json',
  live: true,
});

const toBatchCase = (connections: number): Case => ({
  title: `POST /batch of 100 candidates, by record, ${connections} connection${connections > 1 ? 's' : ''}`,
  requests: [post('/batch', { candidates })],
  each: candidates.length,
  connections,
  peers: { http: 15 },
  asks: { http: creates },
  same: 'nothing',
});

const toToolCase = (version: string): Case => ({
  title: `tools/call listPlacements (MCP ${version})`,
  requests: [toCall('listPlacements', { status: 'completed' }, version)],
  peers: { http: 0.75, sdk: 5, 'raw logged': 0 },
  asks: { http: [get('/placements?status=completed&limit=20')] },
  same: 'json',
  live: true,
});

/** Returns every case that is measured under load, by name. `etag` is the ETag of /pricing. */
export const toCases = (etag: string): Record<string, Case> => ({
  ...toFrozenCases('pricing', '/pricing'),
  ...toFrozenCases('card', '/.well-known/agents.json'),
  ...toFrozenCases('occupation', '/occupations/15-1252.00'),
  ...toFrozenCases('occupations', '/occupations'),

  'pricing 304': {
    title: '/pricing, If-None-Match: 304',
    requests: [get('/pricing', { 'If-None-Match': etag })],
    peers: { raw: 0.85, 'raw 200': 1 },
    asks: { 'raw 200': [get('/pricing')] },
    same: 'bytes',
  },
  placements: toListCase('/placements?status=completed'),
  candidates: toListCase('/candidates?occupation=29-1141.00'),
  search: {
    title: 'GET /occupations?q= of 10,000 titles, 8 connections',
    requests: toSearches(10_000),
    connections: 8,
    peers: {},
    rate: 1500,
    p99: 15,
    same: 'json',
    live: true,
  },
  'asked often': {
    title: 'GET /occupations?q= of the 1,000 asked most',
    requests: toSearches(1000),
    peers: { raw: 0.9, 'raw logged': 0 },
    same: 'json',
    live: true,
  },
  'own list': {
    title: 'GET /candidates?limit=20 in a workspace of 20',
    requests: [get('/candidates?limit=20')],
    own: creates.slice(0, 20),
    peers: { map: 0.8 },
    same: 'shape',
    live: true,
  },
  create: {
    title: 'POST /candidates, flushed before 201',
    requests: creates,
    peers: { fastify: 8, 'fastify map': 0.5 },
    same: 'shape',
    live: true,
  },
  batch: toBatchCase(1),
  'batch 8': toBatchCase(8),
  'tool 2026-07-28': toToolCase('2026-07-28'),
  'tool 2025-11-25': toToolCase('2025-11-25'),
});
