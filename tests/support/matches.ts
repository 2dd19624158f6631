import * as assert from 'uvu/assert';
import { inside } from './doors.ts';
import { client as http } from './front.ts';
import type { Body, Reply } from './http.ts';

export const [critical, registered, carpenters] = ['29-1141.03', '29-1141.00', '47-2031.00'] as const;

/** An order for a critical care nurse, with one skill and in one metro area. */
export const order = {
  client: 'Example Hospital',
  title: 'Night nurse',
  onetCode: critical,
  skills: ['ICU'],
  metro: 'Columbus, OH',
};

/** Returns a body of a candidate. */
export const person = (onetCode: string = critical, more: object = {}): Body => ({
  name: 'Ann Sample',
  onetCode,
  skills: ['ICU'],
  metro: 'Columbus, OH',
  ...more,
});

/** Creates records in a new workspace. Returns them and the header of the workspace. */
interface Made {
  candidates: Body[];
  jobOrders: Body[];
  mine: Record<string, string>;
}

/** Makes a client of the shared host that reads matches. */
export const client = {
  ...http,
  /** Reads `…/matches`. */
  matches: (path: string, query = '', headers: Record<string, string> = {}): Promise<Reply> =>
    http.get(`${path}/matches${query && `?${query}`}`, headers),
  /** Returns the matches of a reply that has some. */
  async ranked(path: string, query?: string, headers?: Record<string, string>): Promise<Body[]> {
    const { status, body, text } = await client.matches(path, query, headers);
    assert.is(status, 200, `${path} ${query}: ${text}`);
    assert.is(body.type, 'OK', `${path} ${query}: ${text}`);
    return body.matches;
  },
  async make(page: { candidates?: object[]; jobOrders?: object[] }, workspace?: string): Promise<Made> {
    const { status, body, text } = await http.post('/batch', page, inside(workspace));
    assert.is(status, 201, text);
    const { candidates = [], jobOrders = [] } = body;
    return { candidates, jobOrders, mine: inside(body.workspace) };
  },
};

/** Asserts that a reply is EMPTY with this status, and that its message matches. */
export function holdEmpty({ status, body, text }: Reply, expected: number, message: RegExp): void {
  assert.equal(status, expected, text);
  assert.is(body.type, 'EMPTY', text);
  assert.match(body.message, message);
}
