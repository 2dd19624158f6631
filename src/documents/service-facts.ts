import * as v from 'valibot';

const text = v.pipe(v.string(), v.minLength(1));

const AgentClass = v.strictObject({
  class: text,
  does: text,
  firstCall: v.strictObject({
    operationId: text,
    method: v.picklist(['GET', 'POST']),
    path: text,
    body: v.optional(v.record(v.string(), v.unknown())),
  }),
});

/** Who this service is: content/service.json. Members that are not listed stop the build. */
export const ServiceFacts = v.strictObject({
  name: text,
  title: text,
  version: text,
  description: v.pipe(v.string(), v.maxLength(200)),
  /** At most 100 characters, as an MCP server card takes. */
  tagline: v.pipe(v.string(), v.maxLength(100)),
  promises: v.array(text),
  standard: v.strictObject({ name: text, version: text, suite: text, digest: text, judge: text }),
  family: v.array(v.strictObject({ rel: text, name: text, statement: text, href: text })),
  icp: v.strictObject({
    companyTypes: v.array(text),
    jobTypes: v.array(text),
    personas: v.array(v.strictObject({ name: text, job: text })),
    system: v.strictObject({
      category: text,
      recordTypes: v.array(text),
      vocabulary: text,
      /** How it is told whether a placement worked, in the words of the trade. */
      outcome: v.strictObject({
        period: text,
        results: v.array(v.strictObject({ result: text, means: text })),
        validation: text,
        receipt: text,
      }),
    }),
    agentClasses: v.array(AgentClass),
  }),
  projection: v.strictObject({
    substrate: text,
    brand: text,
    account: v.strictObject({ required: v.boolean(), pointer: v.nullable(text), statement: text }),
    payment: v.strictObject({ settlement: v.literal('inactive'), pointer: text, statement: text }),
  }),
  attestation: v.array(
    v.strictObject({ rung: text, live: v.boolean(), statement: text, evidence: v.optional(text) }),
  ),
  /** The profile on G2, the software review site. */
  g2: v.strictObject({ live: v.boolean(), url: v.nullable(text), statement: text }),
});
export type ServiceFacts = v.InferOutput<typeof ServiceFacts>;

declare module '../kernel/service.ts' {
  interface Catalogue {
    service: ServiceFacts;
    /** The source of content/suites/executable.mjs, an ES module. */
    executableTests: string;
  }
}
