import * as v from 'valibot';
import { CalendarDate, may, say } from '../kernel/text.ts';

const plain = v.pipe(v.string(), v.minLength(1));

const text = (words: string) => say(plain, words);

const statement = text('In words.');

const AgentClass = v.strictObject({
  class: text('The class.'),
  does: text('What such an agent does here.'),
  firstCall: say(
    v.strictObject({
      operationId: text('The operation in the contract.'),
      method: say(v.picklist(['GET', 'POST']), 'The method to send.'),
      path: text('The address, with its query.'),
      body: may(v.record(v.string(), v.unknown()), 'What to send.'),
    }),
    'The call to begin with.',
  ),
});

const Standard = v.strictObject({
  name: text('What it is called.'),
  version: text('The version that is pinned.'),
  suite: text('Where the suite is.'),
  digest: text('Digest of the suite, in hexadecimal.'),
  judge: text('Who judges.'),
});

const Relation = v.strictObject({
  rel: text('What the other is to this.'),
  name: text('What it is called.'),
  statement,
  href: text('Its address.'),
});

const Outcome = v.strictObject({
  period: text('The time in which it is judged.'),
  results: say(
    v.array(
      v.strictObject({
        result: text('The result, as it is sent.'),
        means: text('What it means in the trade.'),
      }),
    ),
    'What can be stated.',
  ),
  validation: text('When a result counts as validated.'),
  receipt: text('What proves it.'),
});

const System = v.strictObject({
  category: text('The kind of system, in the words of the trade.'),
  recordTypes: say(v.array(plain), 'The kinds of record it keeps.'),
  vocabulary: text('What the records are typed by.'),
  outcome: say(Outcome, 'How a placement is judged.'),
});

const Persona = v.strictObject({
  name: text('What it is called.'),
  job: text('What the person wants done.'),
});

/** content/service.json: what this service is. The build fails if the file has any other member. */
export const ServiceFacts = v.strictObject({
  name: plain,
  title: plain,
  version: plain,
  /** The date of the newest release in CHANGELOG.md. */
  release: CalendarDate,
  description: v.pipe(v.string(), v.maxLength(200)),
  /** At most 100 characters, the limit of an MCP server card. */
  tagline: v.pipe(v.string(), v.maxLength(100)),
  promises: v.array(plain),
  standard: say(Standard, 'The published standard that it is judged by.'),
  family: say(v.array(Relation), 'Ties to other properties.'),
  icp: v.strictObject({
    audience: say(v.array(Persona), 'Who this is for, and what they do here.'),
    isNot: say(v.array(plain), 'What this is not.'),
    companyTypes: say(v.array(plain), 'Companies that this is for.'),
    jobTypes: say(v.array(plain), 'Jobs that are filled here.'),
    personas: say(v.array(Persona), 'People whose agents come here.'),
    system: say(System, 'What kind of system this is.'),
    agentClasses: say(v.array(AgentClass), 'Classes of agents, each with a first call.'),
  }),
  projection: v.strictObject({
    substrate: text('What it runs on.'),
    brand: text('What it goes by.'),
    account: say(
      v.strictObject({
        required: say(v.boolean(), 'Whether an account is needed.'),
        pointer: say(v.nullable(plain), 'Where accounts are; null where there are none.'),
        statement,
      }),
      'Where accounts would be.',
    ),
    payment: say(
      v.strictObject({
        settlement: say(v.literal('inactive'), 'Always inactive: nothing is billed.'),
        pointer: text('Where the price is.'),
        statement,
      }),
      'Where payments would be.',
    ),
  }),
  attestation: v.array(
    v.strictObject({ rung: plain, live: v.boolean(), statement: plain, evidence: v.optional(plain) }),
  ),
});
export type ServiceFacts = v.InferOutput<typeof ServiceFacts>;
