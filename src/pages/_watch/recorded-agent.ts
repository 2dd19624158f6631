/** Makes the calls of a recorded run. It knows no page and no clock: the player and the tests drive it. */
import type { AgentRun, RunBranch, RunStep } from './run-file.ts';

// biome-ignore lint/suspicious/noExplicitAny: an envelope of any operation
type Envelope = any;

/** Calls a tool, and returns its structured content, a refusal too. Rejects if nothing answered. */
export type CallTool = (name: string, args: object) => Promise<Envelope>;

/** A part of an answer as the service gave it now. `recorded` is undefined if it has another value each time. */
export interface AnsweredFact {
  name: string;
  value: unknown;
  recorded: RunStep['answer'][number]['is'];
}

/** What a step came to. */
export interface StepResult {
  facts: AnsweredFact[];
  /** Why the service refused the call, in its words. */
  refused: string | undefined;
}

/** The link on which the client decides. */
interface SharedLink {
  token: string;
  url: string;
}

/** Reads a part of an answer: `matches.0.candidate.name`. */
const readFact = (body: Envelope, path: string): unknown =>
  path.split('.').reduce((part, name) => part?.[name], body);

/** Whether a tool only reads. Other tools take who asks, and a key that makes a repeated call count once. */
const isReading = (call: string) => /^(get|list|match)/.test(call);
/** Whether a tool reads what every caller sees alike, and takes no workspace. */
const isOfCatalogue = (call: string) => /Occupations?$/.test(call);

/** Whether a fact is what the recording says. A fact without a recorded value has to have some value. */
export const isAsRecorded = ({ value, recorded }: AnsweredFact): boolean =>
  recorded === undefined ? value !== undefined && value !== null : value === recorded;

/** The agent of a recorded run: what it has done, and what it does next. */
export class RecordedAgent {
  /** The workspace that its first create made. */
  workspace: string | undefined;
  /** The link of the client, once it made one. */
  link: SharedLink | undefined;
  /** The branch that the person chose. */
  branch: RunBranch | undefined;
  readonly #run: AgentRun;
  readonly #callTool: CallTool;
  readonly #key: string;
  #done = 0;

  /** `key` is a text that no other run has. */
  constructor(run: AgentRun, key: string, callTool: CallTool) {
    this.#run = run;
    this.#key = key;
    this.#callTool = callTool;
  }

  get #steps(): readonly RunStep[] {
    return [...this.#run.steps, ...(this.branch?.steps ?? [])];
  }

  /** Returns the next step, or undefined if a person has to decide or the run is over. */
  get next(): RunStep | undefined {
    return this.#steps[this.#done];
  }

  /** Whether it waits for a person. */
  get isWaiting(): boolean {
    return !this.next && !this.branch;
  }

  /** Makes the call of the next step. A refused call, or one without an answer, stays the next step. */
  async step(): Promise<StepResult> {
    const { call, input, answer } = this.next!;
    const writing = isReading(call)
      ? {}
      : { actor: this.#run.agent, idempotencyKey: `${this.#key}-${this.#done}` };
    const { workspace } = this;
    const where = workspace === undefined || isOfCatalogue(call) ? {} : { workspace };
    const body = await this.#callTool(call, { ...input, ...where, ...writing });
    if (body.type !== 'OK')
      return {
        facts: [],
        refused: body.reason ?? body.message ?? body.statement ?? 'The service refused it.',
      };
    this.#done += 1;
    this.workspace ??= body.workspace;
    if (body.shortlist?.token) this.link = body.shortlist;
    const facts = answer.map(({ name, path, is }) => ({ name, value: readFact(body, path), recorded: is }));
    return { facts, refused: undefined };
  }

  /** Leaves out the next step. */
  skip(): void {
    this.#done += 1;
  }

  /** Reads whether the person has decided, and if so, takes their branch. Returns whether the run goes on. */
  async readDecision(): Promise<boolean> {
    const { placement } = this.#run.decision;
    const body = await this.#callTool('getPlacement', { id: placement, workspace: this.workspace });
    const status = body.placement?.status;
    this.branch = this.#run.branches.find(({ statuses }) => statuses.includes(status));
    return this.branch !== undefined;
  }
}
