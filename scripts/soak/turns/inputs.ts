import { type JsonSchema, toPlainSchema } from '../../../src/kernel/json-schema.ts';
import { hasBody, hasId, type Operation, usualBody } from '../../../src/kernel/operation.ts';
import { listSuffixes } from '../../../src/kernel/router.ts';
import { send } from '../../../tests/support/wire.ts';
import type { Call } from './attacker.ts';
import { type Aim, codings, type Input, toHttpCall, toToolCall } from './calls.ts';
import { type Args, giveWay, type Making, makeLargest, serial } from './largest.ts';
import { type Large, specialInputs } from './special.ts';
import { findSampleId, listDeskRefs, openDesk } from './world.ts';

/** Calls of one operation that are made together. */
export interface Run {
  operation: string;
  what: string;
  calls: readonly Call[];
}

const words = 'wörd ';
const wide = 'ﷺ/';
/** Bytes of a request line, less than the service takes. */
const mostOfTarget = 12_000;
/** How many limits a list is asked for, so that few of its answers come from a cache. */
const mostLimits = 40;
const mostRounds = 60;
/** The share of the most objects of a list with which the search for the largest input begins. */
const fewObjects = 1 / 64;

/** The largest input of each operation that a service takes, found by asking it. */
export class InputFinder {
  readonly #origin: string;
  readonly #large: Large;
  /** The last token of each prefix that a reply had. */
  readonly #tokens = new Map<string, string>();
  readonly #prefixes: readonly string[];
  #sentCount = 0;

  constructor(origin: string, large: Large, operations: readonly Operation[]) {
    this.#origin = origin;
    this.#large = large;
    this.#prefixes = operations.flatMap(({ access }) => access.capability?.prefix ?? []);
  }

  /** Lists the runs of an operation: accepted, strict, refused and special inputs by each protocol. */
  async listRuns(row: Operation, isApart: boolean): Promise<Run[]> {
    const schema = toPlainSchema(row.input);
    const making = await this.#findLargest(row, schema);
    const inputs = this.#listInputs(row, schema, making, await this.#aim(row));
    const special = specialInputs[row.operationId]?.(this.#large) ?? [];
    return groupRuns(row, [...(await inputs), ...special], isApart);
  }

  /** Returns what calls are about. A read is of the large workspace, and a write of one that no other operation uses. */
  async #aim({ effect, path, access, contract }: Operation): Promise<Aim> {
    const { prefix } = access.capability ?? {};
    const token = prefix && (this.#tokens.get(prefix) ?? `${prefix}${'0'.repeat(32)}`);
    const isDesk = effect !== 'read' && access.workspace === 'required';
    const workspace = isDesk ? await openDesk(this.#origin) : this.#large.workspace;
    const id =
      (access.workspace && (await findSampleId(this.#origin, path, workspace))) ||
      (contract.sample?.id as string);
    // A create without a workspace makes one of its own.
    return { id, token, workspace: isDesk || effect === 'read' ? workspace : undefined };
  }

  /**
   * Makes smaller what the service refuses of the largest input, until it accepts it. Lists of objects begin with few, and
   * grow once these are accepted.
   */
  async #findLargest(row: Operation, schema: JsonSchema): Promise<Making> {
    const hasObjects = Object.values(schema.properties ?? {}).some(({ items }) => items?.properties);
    const making: Making = {
      choices: new Map(),
      share: hasObjects ? fewObjects : 1,
      filler: words,
      isWrong: false,
    };
    const aim = await this.#aim(row);
    const send = (tried: Making) => this.#send(row, makeFitting(row, schema, tried), aim);
    for (let round = 0; round < mostRounds; round += 1) {
      const { isAccepted, places } = await send(making);
      if (isAccepted) {
        while (making.share < 1 && (await send({ ...making, share: making.share * 2 })).isAccepted)
          making.share *= 2;
        return making;
      }
      if (places.length === 0 || !places.every((place) => giveWay(making, place, readSample(row)))) break;
    }
    // Nothing larger is accepted than the sample.
    for (const name of Object.keys(schema.properties ?? {})) making.choices.set(name, 'sample');
    return making;
  }

  /** Sends one call. Returns whether it is accepted, and the places that a refusal names. */
  async #send(row: Operation, args: Args, aim: Aim) {
    const { method, target, headers, body } = toHttpCall(row, { what: '', args, aim }, 'identity');
    this.#sentCount += 1;
    const own = String(this.#sentCount).padStart(serial.length, '9');
    const sent = { method, headers, ...(body !== undefined && { body: body.replaceAll(serial, own) }) };
    // A call without an answer says no more than a refusal that names nothing.
    const reply = await send(this.#origin, target.replaceAll(serial, own), sent).catch(() => undefined);
    if (!reply) return { isAccepted: false, places: [] };
    const text = reply.bytes.toString();
    if (row.effect !== 'read') this.#readTokens(text);
    return { isAccepted: reply.status < 400, places: listPlaces(text) };
  }

  #readTokens(text: string): void {
    for (const prefix of this.#prefixes) {
      const [token] = new RegExp(`\\b${prefix}[\\w-]{16,}`).exec(text) ?? [];
      if (token) this.#tokens.set(prefix, token);
    }
  }

  async #listInputs(row: Operation, schema: JsonSchema, making: Making, aim: Aim): Promise<Input[]> {
    const args = makeFitting(row, schema, making);
    const accepted = listAccepted(row, schema, args, aim);
    const unknown = { [`n${serial}`]: 1 };
    const inputs = [
      ...accepted,
      { what: 'strict', args, aim, isStrict: true },
      { what: 'strict', args: { ...args, ...unknown }, aim, isStrict: true },
    ];
    const hasInput = Object.keys(schema.properties ?? {}).length > 0;
    if (hasInput) {
      const wideArgs = makeFitting(row, schema, { ...making, filler: wide });
      inputs.push({ what: 'wide texts', args: wideArgs, aim });
      const wrong = makeFitting(row, schema, { ...making, isWrong: true });
      inputs.push({ what: 'refused', args: wrong, aim });
    }
    if (hasId(row)) inputs.push({ what: 'refused', args: {}, aim: { ...aim, id: `none-${serial}` } });
    return inputs;
  }
}

/** Returns the arguments of the sample without `id`. */
function readSample({ contract }: Operation): Args {
  const { id: _, ...args } = contract.sample ?? {};
  return args;
}

/** Returns the paths of what a refusal names, each item of a list as `[]`. */
function listPlaces(text: string): string[] {
  try {
    const { issues = [] } = JSON.parse(text) as { issues?: { path: string }[] };
    return [...new Set(issues.map(({ path }) => path.replaceAll(/\[\d+\]/g, '[]')))];
  } catch {
    return [];
  }
}

const measureBytes = (row: Operation, args: Args) =>
  hasBody(row.method)
    ? Buffer.byteLength(JSON.stringify(args)) / ((row.bodyLimit ?? usualBody) - 1000)
    : new URLSearchParams(args as Record<string, string>).toString().length / mostOfTarget;

/** Makes the largest arguments that fit into a request. */
function makeFitting(row: Operation, schema: JsonSchema, making: Making): Args {
  for (let share = making.share; ; share /= 2) {
    const args = makeLargest(schema, readSample(row), { ...making, share });
    if (measureBytes(row, args) <= 1 || share < 1 / 4096) return args;
  }
}

/** Lists the arguments of a read that make it go through the most records: each value to choose, and no filter of texts. */
function listWideQueries(row: Operation, schema: JsonSchema): Args[] {
  const { properties = {}, required = [] } = schema;
  const sample = readSample(row);
  const base = Object.fromEntries(required.map((name) => [name, sample[name]]));
  const choices = Object.entries(properties).flatMap(([name, { enum: values = [] }]) =>
    values.map((value) => ({ ...base, [name]: value })),
  );
  const others = [{ scope: 'all' }, { q: 'a e' }, { minScore: 0 }, { fields: 'id' }, { q: 'skill ward' }];
  const known = others.filter((query) => Object.keys(query).every((name) => properties[name]));
  return [base, ...choices, ...known.map((query) => ({ ...base, ...query }))];
}

/** Varies a query, so that few answers come from a cache. */
function varyQuery(query: Args, { properties = {} }: JsonSchema): Args[] {
  const { limit, minScore } = properties as Record<string, { maximum?: number } | undefined>;
  const most = limit?.maximum ?? 0;
  if (most <= mostLimits && !minScore) return [{ ...query, ...(limit && { limit: most }) }];
  return Array.from({ length: mostLimits }, (_, at) => ({
    ...query,
    ...(limit && { limit: most > mostLimits ? most - at : most }),
    ...(minScore && { minScore: at / 100 }),
  }));
}

/** Lists the inputs that are accepted, for reads in each representation. A delete has another record in each call. */
function listAccepted(row: Operation, schema: JsonSchema, args: Args, aim: Aim): Input[] {
  const whole = { what: 'accepted', args, aim };
  if (row.effect === 'delete' && hasId(row))
    return listDeskRefs(row.path).map((id) => ({ ...whole, aim: { ...aim, id } }));
  if (hasBody(row.method)) return [whole];
  const files = listSuffixes(row).map((representation) => ({
    ...whole,
    args: {},
    representation,
    what: `accepted .${representation}`,
  }));
  const queries = listWideQueries(row, schema).map((query) =>
    varyQuery(query, schema).map((own) => ({ ...whole, args: own, what: `accepted ${nameQuery(query)}` })),
  );
  return [whole, { ...whole, args: { ...args, n: serial } }, ...files, ...interleave(queries)];
}

const nameQuery = (query: Args) => new URLSearchParams(query as Record<string, string>).toString();

/** Returns the first of each list, then the second of each. */
function interleave<T>(lists: readonly T[][]): T[] {
  const longest = Math.max(0, ...lists.map(({ length }) => length));
  return Array.from({ length: longest }, (_, at) => lists.flatMap((list) => list.slice(at, at + 1))).flat();
}

/** Groups the calls of inputs by the first word of what they are, or `isApart` by all that differs, and by protocol. */
function groupRuns(row: Operation, inputs: readonly Input[], isApart: boolean): Run[] {
  const groups = new Map<string, Call[]>();
  const add = (kind: string, door: string, coding: string, call: Call) => {
    const what = isApart ? `${kind}, ${coding}` : kind.replace(/^(accepted) .*/, '$1');
    const calls = groups.get(what + door) ?? [];
    calls.push(call);
    groups.set(what + door, calls);
  };
  for (const [at, input] of inputs.entries()) {
    const isFile = input.representation !== undefined;
    const hasAll = isApart || isFile || inputs.length < 50;
    for (const coding of hasAll ? codings : [codings[at % codings.length]!]) {
      add(input.what, '', coding, toHttpCall(row, input, coding));
      if (row.tool && !isFile) add(input.what, ' by MCP', coding, toToolCall(row, input, coding));
    }
  }
  return [...groups].map(([what, calls]) => ({ operation: row.operationId, what, calls }));
}
