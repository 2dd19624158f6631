import { createHash } from 'node:crypto';
import { type AnswerService, createAnswer } from '../../src/kernel/answer.ts';
import type { Call, Reply } from '../../src/kernel/call.ts';
import type { Capability, Operation, OperationReply, OperationRow } from '../../src/kernel/operation.ts';
import { commonRefusals, Refusal } from '../../src/kernel/refusal.ts';
import { StepRunner } from '../../src/kernel/step-runner.ts';
import type { Body } from './http.ts';

/** A secret that some rows read. */
export const passCapability: Capability = {
  header: 'X-Pass',
  argument: 'pass',
  hint: 'Ask its owner.',
  prefix: 'pas_',
  shape: /^pas_[a-z]{4}$/,
  unknown: { code: 'unknown_pass', status: 404, reason: 'No such pass.' },
};

const runner = new StepRunner({
  now: () => performance.now(),
  waitForTurn: () => new Promise((resolve) => setImmediate(resolve)),
});

/** A workspace that is open, as its operations get it. */
export const smallWorkspace = {
  id: 'ws_1',
  hash: 'f0e1d2c3b4a59687',
  key: 'key 1',
  expiresAt: Infinity,
  revision: 1,
  secret: 's',
};

const noWords = { tag: '', summary: '', description: '', replies: {} };

type Sent = Partial<Omit<Call, 'headers' | 'body'>> & { headers?: Record<string, string>; body?: unknown };
type ReplyRead = Reply & { json: Body };

/**
 * A service of a few rows, for the rules of the kernel alone. It has the workspace `ws_1`. `noted` is what the rows and
 * the kernel asked of the rest of the service.
 */
export function openTable(
  rows: readonly (OperationRow | Operation)[],
  parts: Partial<Record<keyof AnswerService, unknown>> = {},
) {
  const noted: string[] = [];
  const note = (text: string) => void noted.push(text);
  const service = {
    operations: rows.map((row) => ({ contract: noWords, ...row })),
    capabilities: [passCapability],
    catalogue: {
      papers: {},
      build: 'build 1',
      nearMisses: { words: {}, notes: {}, absent: {}, fillers: [] },
    },
    platform: {
      now: () => Date.now(),
      runSteps: runner.run.bind(runner),
      sha256: (text: string) => createHash('sha256').update(text).digest('hex'),
    },
    watch: { report: (fault: Error) => note(`report ${fault.message}`) },
    async openWorkspace(id: string, by: object) {
      note(`open ${id} ${JSON.stringify(by)}`);
      if (id !== smallWorkspace.id) throw new Refusal(commonRefusals.unknown_workspace);
      return smallWorkspace;
    },
    chargeRead(_: Operation, __: unknown, reply: OperationReply) {
      note('charge');
      return reply;
    },
    findReadOffer: () => undefined,
    countCall: (_: unknown, isRefused: boolean) => note(isRefused ? 'count refused' : 'count'),
    ...parts,
  } as unknown as AnswerService;
  const answer = createAnswer(service);

  /** Sends one call. A body that is no text is sent as JSON. */
  async function ask(
    method: string,
    target: string,
    { headers = {}, body, ...sent }: Sent = {},
  ): Promise<ReplyRead> {
    const [path = '/', query = ''] = target.split(/\?(.*)/s);
    const lower = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]);
    const text = typeof body === 'string' || body === undefined ? (body ?? '') : JSON.stringify(body);
    const call = { method, path, query, headers: Object.fromEntries(lower), client: '192.0.2.1', ...sent };
    const reply = await answer({ ...call, body: new TextEncoder().encode(text) });
    const isJson = reply.body.startsWith('{');
    return { ...reply, json: isJson ? JSON.parse(reply.body) : undefined };
  }

  return { ask, noted, service };
}
