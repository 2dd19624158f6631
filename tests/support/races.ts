import * as assert from 'uvu/assert';
import { type Answer, type Client, connect } from './http.ts';
import { startServer } from './server.ts';

/** Callers at once. */
export const callers = 50;

/** What so many calls at once come to. */
export const all = <T>(call: (index: number) => Promise<T>, count = callers) =>
  Promise.all(Array.from({ length: count }, (_, index) => call(index)));

/** How often each outcome was told: a status, and the code and the first place of a refusal. */
export function tally(answers: readonly Answer[]): Record<string, number> {
  const said = answers.map(({ status, body }) =>
    [status, body.code, body.issues?.[0]?.code].filter((part) => part !== undefined).join(' '),
  );
  return Object.fromEntries([...Map.groupBy(said, (one) => one)].map(([one, same]) => [one, same.length]));
}

/** Holds what 50 callers were told to one that won. */
export const holdToOne = (answers: readonly Answer[], won: number, lost: string) =>
  assert.equal(tally(answers), { [won]: 1, [lost]: answers.length - 1 });

/** Hosts of one service. */
export interface Hosts {
  clients: Client[];
  stop(): Promise<void>;
}

/** Starts so many hosts with these settings. */
export async function startHosts(env: Record<string, string>, count: number): Promise<Hosts> {
  const servers = await Promise.all(Array.from({ length: count }, () => startServer(env)));
  const clients = await Promise.all(servers.map(({ origin }) => connect(origin)));
  return { clients, stop: async () => void (await Promise.all(servers.map((server) => server.stop()))) };
}
