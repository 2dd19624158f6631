import * as assert from 'uvu/assert';
import { toContractCheck } from './contract.ts';
import { inside } from './doors.ts';
import { server } from './front.ts';
import { type Answer, type Body, type Client, connect } from './http.ts';

export const [critical, registered, carpenters] = ['29-1141.03', '29-1141.00', '47-2031.00'] as const;

/** A critical care nurse is asked for, with one skill and in one metro area. */
export const order = {
  client: 'Example Hospital',
  title: 'Night nurse',
  onetCode: critical,
  skills: ['ICU'],
  metro: 'Columbus, OH',
};

/** A body of a candidate. */
export const person = (onetCode: string = critical, more: object = {}): Body => ({
  name: 'Ann Sample',
  onetCode,
  skills: ['ICU'],
  metro: 'Columbus, OH',
  ...more,
});

/** What is made of bodies in a workspace of its own, and the header that shows it. */
interface Made {
  candidates: Body[];
  jobOrders: Body[];
  mine: Record<string, string>;
}

/** A client that knows matches. */
interface MatchClient extends Client {
  /** Asks at `…/matches`, and holds the reply to the published contract. */
  matches(path: string, query?: string, headers?: Record<string, string>): Promise<Answer>;
  /** The matches of a reply that has some. */
  ranked(path: string, query?: string, headers?: Record<string, string>): Promise<Body[]>;
  make(page: { candidates?: object[]; jobOrders?: object[] }, workspace?: string): Promise<Made>;
}

async function connectMatches(origin: string): Promise<MatchClient> {
  const client = await connect(origin);
  const { check } = toContractCheck(client.contract);
  const it: MatchClient = {
    ...client,
    async matches(path, query = '', headers = {}) {
      const answer = await client.get(`${path}/matches${query && `?${query}`}`, headers);
      const { status, text } = answer;
      const type = answer.headers.get('content-type') ?? '';
      check('GET', `/${path.split('/')[1]}/{id}/matches`, status, type, text);
      return answer;
    },
    async ranked(path, query, headers) {
      const { status, body, text } = await it.matches(path, query, headers);
      assert.equal([status, body.type], [200, 'OK'], `${path} ${query}: ${text}`);
      return body.matches;
    },
    async make(page, workspace) {
      const { status, body, text } = await client.post('/batch', page, inside(workspace));
      assert.is(status, 201, text);
      const { candidates = [], jobOrders = [] } = body;
      return { candidates, jobOrders, mine: inside(body.workspace) };
    },
  };
  return it;
}

/** A client of the shared host. */
export const client = await connectMatches(server.origin);

/** Asserts that a reply is EMPTY with this status, and that its message says so. */
export function holdEmpty({ status, body, text }: Answer, expected: number, message: RegExp): void {
  assert.equal([status, body.type], [expected, 'EMPTY'], text);
  assert.match(body.message, message);
}
