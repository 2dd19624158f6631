/** The schema of content/agent-run.json, the recorded run of an agent. */
import * as v from 'valibot';

const text = v.pipe(v.string(), v.minLength(1));

/** A part of an answer that the run shows. Without `is` it has another value each time. */
const Fact = v.strictObject({
  name: text,
  /** Where the answer has it: `matches.0.candidate.name`. */
  path: text,
  is: v.optional(v.union([v.string(), v.number(), v.boolean()])),
});

const Step = v.strictObject({
  /** What the agent thinks. */
  says: text,
  /** The name of the tool, which is the operationId. */
  call: text,
  /** The arguments, without those of the whole run: workspace, actor and key. */
  input: v.record(v.string(), v.unknown()),
  answer: v.pipe(v.array(Fact), v.minLength(1)),
});

const Branch = v.strictObject({
  decision: v.picklist(['interview', 'decline']),
  /** The statuses of the placement that lead here. */
  statuses: v.pipe(v.array(text), v.minLength(1)),
  steps: v.pipe(v.array(Step), v.minLength(1)),
});

/** A date in it is a number of days from the day of the run: `@+14`. */
export const AgentRunFile = v.strictObject({
  title: text,
  task: text,
  /** The name that the agent gives itself. */
  agent: v.pipe(text, v.maxLength(80)),
  steps: v.pipe(v.array(Step), v.minLength(1)),
  /** The placement on which a person decides before the run goes on. */
  decision: v.strictObject({ says: text, person: text, placement: text }),
  branches: v.pipe(v.array(Branch), v.length(2)),
  /** What the agent says at the end. */
  end: text,
});

export type AgentRun = v.InferOutput<typeof AgentRunFile>;
export type RunStep = v.InferOutput<typeof Step>;
export type RunBranch = v.InferOutput<typeof Branch>;
