import type { IncomingHttpHeaders } from 'node:http';
import type { Body } from './http.ts';
import { decode, type Sent, send } from './wire.ts';

/** The answer. Its status is null if nothing usable came back. */
export interface Seen {
  url: string;
  status: number | null;
  headers: IncomingHttpHeaders;
  /** Content-Type without parameters. */
  type: string;
  text: string;
  /** The parsed body, or undefined if it is not JSON. */
  body: Body;
}

/** Sends requests to one port under the name of `origin`, as Node's fetch would. */
export interface Wire {
  origin: string;
  get(url: string, headers?: Record<string, string>): Promise<Seen>;
  post(url: string, body: object, headers?: Record<string, string>): Promise<Seen>;
}

/** A longer body counts as missing. */
const bodyCap = 262_144;
const maxHops = 3;

/** Node's fetch adds these to every request. */
const fetchHeaders = {
  accept: '*/*',
  'accept-language': '*',
  'sec-fetch-mode': 'cors',
  'user-agent': 'node',
  'accept-encoding': 'gzip, br',
};

function parse(text: string): Body {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const nothing = (url: string): Seen => ({
  url,
  status: null,
  headers: {},
  type: '',
  text: '',
  body: undefined,
});

async function exchange(url: URL, port: number, { headers, ...sent }: Sent): Promise<Seen> {
  try {
    const reply = await send(`http://localhost:${port}`, url.pathname + url.search, {
      ...sent,
      headers: { ...fetchHeaders, host: url.host, ...headers },
    });
    const bytes = decode(reply);
    const text = bytes.length >= bodyCap ? '' : bytes.toString('utf8');
    const type = (reply.headers['content-type'] ?? '').split(';')[0]!.trim();
    return { url: url.href, status: reply.status, headers: reply.headers, type, text, body: parse(text) };
  } catch {
    return nothing(url.href);
  }
}

/** Makes a client for `port` that calls it `origin`. */
export function openWire(origin: string, port: number): Wire {
  return {
    origin,
    async get(address, headers = {}) {
      let url = new URL(address, origin);
      for (let hop = 0; hop <= maxHops && url.origin === origin; hop++) {
        const found = await exchange(url, port, { headers });
        const { location } = found.headers;
        if (found.status === null || found.status < 300 || found.status > 399 || !location) return found;
        url = new URL(location, url);
      }
      return nothing(url.href);
    },
    post(address, body, headers = {}) {
      const url = new URL(address, origin);
      const sent = { 'content-type': 'application/json', ...headers };
      return exchange(url, port, { method: 'POST', headers: sent, body: JSON.stringify(body) });
    },
  };
}
