import { occupationFacts } from '../onet/occupation-facts.ts';
import { candidates, creates, get, post, toCall, type Wire } from './wire.ts';

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
  /** The goals: at least this ratio of our rate to the peer's. 0 is no goal. */
  peers: Partial<Record<PeerName, number>>;
  /** Where a peer is asked for something else. */
  asks?: Partial<Record<PeerName, Wire[]>>;
  /** The goals of a case that no peer does: answers a second, and milliseconds. */
  rate?: number;
  p99?: number;
  /** What must be the same in every answer: the bytes, the JSON, the members and their types, or nothing. */
  same: 'bytes' | 'json' | 'shape' | 'nothing';
  /** Answered by the core: measured with the default log and without one. */
  live?: boolean;
}

/** `count` titles and alternate titles, no two alike, spread over all of them. */
export function toTitles(count: number): string[] {
  const titles = occupationFacts.flatMap(({ title, alternateTitles = [] }) => [title, ...alternateTitles]);
  const different = [...new Set(titles)];
  return Array.from({ length: count }, (_, at) => different[Math.floor((at * different.length) / count)]!);
}

/** A search for each of so many titles. */
export const toSearches = (count: number): Wire[] =>
  toTitles(count).map((title) => get(`/occupations?q=${encodeURIComponent(title)}`));

const compressed = { 'Accept-Encoding': 'gzip, deflate, br, zstd' };
/** A document as it is, and compressed. */
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

/** Everything that is measured under load, by name. `etag` is that of /pricing. */
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
