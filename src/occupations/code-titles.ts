import * as v from 'valibot';
import { defineOperation, type OperationContext, runSteps } from '../kernel/operation.ts';
import { type Steps, wait } from '../kernel/steps.ts';
import { listSchema, maxCharacters, named, say, trimText, upTo } from '../kernel/text.ts';
import { normaliseCode, suggestCode } from './code.ts';
import { firstHit, OccupationHit } from './occupation.ts';
import { adviseOnTitle, codeShape, findUnderCode, presentHit } from './occupation-list.ts';
import type { OccupationService } from './service.ts';
import { type Summaries, Summary } from './summaries.ts';
import { rateCertainty } from './titles/certainty.ts';
import type { Search, SearchResult } from './titles/search.ts';

export const mostTitles = 100;
/** Occupations of a title, and of a title whose first occupation is sure. */
export const mostHits = 3;
const mostSureHits = 1;

/** One occupation of a title. Only the first has a summary, because a model reads a hundred titles at once. */
const CodedHit = v.object({ ...OccupationHit.entries, summary: v.optional(Summary) });

export const CodedTitle = v.object({
  title: say(v.string(), 'The title that was sent.'),
  ...firstHit,
  occupations: upTo(mostHits, CodedHit, 'Best first; one if it is sure.'),
});

const wellFormed = v.check((text: string) => text.isWellFormed(), 'must be well-formed Unicode');
const SentTitle = v.pipe(v.string('must be a string'), maxCharacters(200), wellFormed);
const input = v.object({
  titles: named(
    v.pipe(listSchema(SentTitle, mostTitles, 'titles'), v.minLength(1, 'must hold at least one title')),
    'Job titles',
    `1 to ${mostTitles} job titles in plain words.`,
  ),
});

const nothingKnown =
  'Nothing is known of this title. The search reads English and common Spanish job words; send the trade, the industry or the main duties.';

const read = { isRead: true, isClear: true, isGuess: false };

/** Searches by title, or lists what is under a code. All occupations under a code are equally likely. */
function findOccupations(text: string, search: Search, service: OccupationService): SearchResult {
  if (!codeShape.test(normaliseCode(text))) return search(text);
  const entries = findUnderCode(text, service);
  const confidence = 1 / entries.length;
  const hits = entries.map(({ id }) => ({ id, matched: undefined, confidence }));
  return { certainty: rateCertainty(hits.length > 0 ? confidence : 0, read), hits };
}

export function codeTitle(
  title: string,
  search: Search,
  service: OccupationService,
  summaries: Summaries,
): v.InferOutput<typeof CodedTitle> {
  const text = trimText(title);
  const found = findOccupations(text, search, service);
  const hint = found.hits.length === 0 ? suggestCode(text, service) : undefined;
  if (hint) return { title, certainty: 'unsure', message: `${hint}.`, occupations: [] };
  const hits = found.hits.slice(0, found.certainty === 'sure' ? mostSureHits : mostHits);
  const message = hits.length > 0 ? adviseOnTitle(found, service) : nothingKnown;
  return {
    title,
    certainty: found.certainty,
    ...(message !== undefined && { message }),
    occupations: hits.map((hit, at) => {
      const { summary, ...row } = presentHit(hit, service, summaries);
      return at === 0 ? { ...row, summary } : row;
    }),
  };
}

/** Codes titles one after another, and yields before each. Each title is searched for once. */
export class TitleCoder {
  readonly #service: OccupationService;
  readonly #found = new Map<string, v.InferOutput<typeof CodedTitle>>();
  #tables: [search: Search, summaries: Summaries] | undefined;

  constructor(service: OccupationService) {
    this.#service = service;
  }

  /** Loads what coding needs, so that `find` waits for nothing. Steps that wait count as long work of their client. */
  async load(): Promise<void> {
    this.#tables ??= await Promise.all([this.#service.search(), this.#service.summaries()]);
  }

  *find(title: string): Steps<v.InferOutput<typeof CodedTitle>> {
    const known = this.#found.get(title);
    if (known) return known;
    const service = this.#service;
    if (!this.#tables) yield* wait(this.load());
    yield;
    const [search, summaries] = this.#tables!;
    const coded = codeTitle(title, search, service, summaries);
    this.#found.set(title, coded);
    return coded;
  }
}

export const codeTitles = defineOperation({
  operationId: 'codeTitles',
  method: 'POST',
  effect: 'read',
  path: '/titles',
  input,
  async run({ titles }, context: OperationContext<OccupationService>) {
    const { service, call } = context;
    if (titles.length > 1) await call.weigh?.(titles.length - 1);
    const coder = new TitleCoder(service);
    await coder.load();
    function* code() {
      const coded: v.InferOutput<typeof CodedTitle>[] = [];
      for (const title of titles) coded.push(yield* coder.find(title));
      return coded;
    }
    const coded = await runSteps(context, code());
    return { status: 200, body: { type: 'OK', titles: coded } };
  },
});
