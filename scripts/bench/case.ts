import type { Wire } from './wire.ts';

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
