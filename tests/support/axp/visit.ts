import { createRandom } from '../../../scripts/titles/train-network.ts';
import type { Body } from '../http.ts';
import { type Representation, toAlternates } from '../link-header.ts';
import type { Seen, Wire } from './wire.ts';

/** Why a row fails, or undefined where it passes. */
export type Verdict = string | undefined;

/** One thing that is judged. */
export interface Row {
  id: string;
  check(visit: Visit): Verdict | Promise<Verdict>;
}

export const isOk = ({ status }: Seen) => status !== null && status >= 200 && status < 300;

/** The judge's own test of HTML: how it begins, or a tag near the top. */
export function isHtml({ text }: Seen): boolean {
  return /^\s*(<!doctype html|<html|<head|<body)/i.test(text) || /<html[\s>]/i.test(text.slice(0, 1024));
}

export const isHtmlFace = (seen: Seen) => isOk(seen) && isHtml(seen);
export const isJsonFace = (seen: Seen) => isOk(seen) && seen.type.includes('json') && seen.body !== undefined;
export const isMarkdownFace = (seen: Seen) => isOk(seen) && !isHtml(seen) && seen.type.includes('markdown');

/** What came, in words. */
export function tell({ url, status, type, text }: Seen): string {
  return `${new URL(url).pathname}${new URL(url).search} answered ${status} ${type} ${text.slice(0, 120)}`;
}

/** The first verdict that is a reason. */
export function firstOf(verdicts: readonly Verdict[]): Verdict {
  return verdicts.find((verdict) => verdict !== undefined);
}

/** The first of `items` that fails, told by `check`; each is awaited before the next. */
export async function firstFailing<T>(
  items: readonly T[],
  check: (item: T) => Verdict | Promise<Verdict>,
): Promise<Verdict> {
  for (const item of items) {
    const verdict = await check(item);
    if (verdict !== undefined) return verdict;
  }
  return undefined;
}

/** The items in an order of chance. */
export function shuffle<T>(items: readonly T[], random: () => number): T[] {
  return items
    .map((item) => ({ item, key: random() }))
    .sort((a, b) => a.key - b.key)
    .map(({ item }) => item);
}

export const browserAccept = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
export const jsonAccept = { accept: 'application/json' };

/** What one visit to an origin has read before anything is judged. */
export interface Visit {
  wire: Wire;
  random: () => number;
  /** The home page, asked for in six ways. */
  home: Record<'bare' | 'browser' | 'json' | 'markdown' | 'document' | 'agent', Seen>;
  /** Where the faces of the home page are said to be, over all answers. */
  alternates: Map<Representation, string>;
  /** Each face, asked for at its own address with an Accept that names another. */
  forced: Map<Representation, Seen>;
  llms: Seen;
  card: Seen;
  icp: Seen;
  openapi: Seen;
  pricing: Seen;
  /** Paths of GETs that need nothing. */
  candidates: string[];
  /** Some of them, asked for as JSON. */
  samples: Seen[];
}

/** How a visit is made. */
export interface VisitOptions {
  seed: number;
  /** Endpoints to sample at least. */
  samples?: number;
}

const contradictory: Record<Representation, string> = {
  html: 'application/json',
  json: 'text/html',
  md: 'text/html',
};

type Endpoint = { url?: unknown; method?: string; auth?: string };

/** The entries of the card's interfaces.http, an object or an array. */
export function toEndpoints(card: Body): Endpoint[] {
  return Object.values(card?.interfaces?.http ?? {}) as Endpoint[];
}

const isSafe = ({ method = 'GET' }: Endpoint) => method.toUpperCase() === 'GET';

/** Pathnames of GETs without a parameter that is required: those of the card first, they are hinted. */
function toCandidates(openapi: Body, card: Body, origin: string): { hinted: string[]; all: string[] } {
  const declared = Object.entries((openapi?.paths ?? {}) as Record<string, Body>).flatMap(([path, item]) => {
    const needs = (item.get?.parameters ?? []).some((parameter: Body) => parameter.required === true);
    const isOpen = item.get && !path.includes('{') && !needs && !(item.get.security?.length > 0);
    return isOpen ? [path] : [];
  });
  const hinted = toEndpoints(card).flatMap((entry) => {
    if (typeof entry.url !== 'string' || !isSafe(entry) || entry.url.includes('{')) return [];
    if (entry.auth !== undefined && !/none|keyless|public/i.test(entry.auth)) return [];
    const url = new URL(entry.url, origin);
    return url.origin === origin ? [url.pathname] : [];
  });
  return { hinted, all: [...new Set([...hinted, ...declared])] };
}

/** The address that the card gives its contract. */
function toContractAddress(card: Body): string {
  const named = card?.openapi ?? card?.openapiUrl ?? card?.surfaces?.openapi ?? card?.links?.openapi;
  return typeof named === 'string' ? named : '/openapi.json';
}

async function readHome(wire: Wire): Promise<Visit['home']> {
  const ask = (headers: Record<string, string>) => wire.get('/', headers);
  return {
    bare: await ask({}),
    browser: await ask({ accept: browserAccept }),
    json: await ask(jsonAccept),
    markdown: await ask({ accept: 'text/markdown' }),
    document: await ask({ 'sec-fetch-dest': 'document', 'sec-fetch-site': 'none' }),
    agent: await ask({ 'user-agent': 'Claude-User/1.0 (+https://api.qa)' }),
  };
}

/** At least `wanted` samples; more, up to a dozen, while none has answered. */
async function readSamples(wire: Wire, order: readonly string[], wanted: number): Promise<Seen[]> {
  const samples: Seen[] = [];
  for (const path of order) {
    const hasAnswer = samples.some(({ status }) => status !== null && status >= 200 && status < 300);
    if (samples.length >= wanted && (hasAnswer || samples.length >= 12)) break;
    samples.push(await wire.get(path, jsonAccept));
  }
  return samples;
}

/** Visits an origin as the public judge does, in its order. */
export async function visit(wire: Wire, { seed, samples: wanted = 3 }: VisitOptions): Promise<Visit> {
  const random = createRandom(seed);
  const home = await readHome(wire);
  const alternates = new Map<Representation, string>();
  for (const { headers, url } of [home.bare, home.browser, home.markdown]) {
    for (const [face, href] of toAlternates(String(headers.link ?? ''), url)) {
      if (!alternates.has(face)) alternates.set(face, href);
    }
  }
  const forced = new Map<Representation, Seen>();
  for (const [face, href] of alternates) {
    forced.set(face, await wire.get(href, { accept: contradictory[face] }));
  }
  const llms = await wire.get('/llms.txt');
  const card = await wire.get('/.well-known/agents.json');
  const icp = await wire.get('/icp.json');
  const openapi = await wire.get(toContractAddress(card.body), jsonAccept);
  const priced = [card.body?.probes?.pricing].flat()[0]?.url;
  const pricing = await wire.get(typeof priced === 'string' ? priced : '/pricing', jsonAccept);
  const { hinted, all } = toCandidates(openapi.body, card.body, wire.origin);
  const rest = all.filter((path) => !hinted.includes(path));
  const order = [...shuffle([...new Set(hinted)], random), ...shuffle(rest, random)];
  const samples = await readSamples(wire, order, wanted);
  for (const path of shuffle(all, random).slice(0, 2)) {
    await wire.get(path);
    await wire.get(path, { accept: browserAccept });
  }
  return {
    wire,
    random,
    home,
    alternates,
    forced,
    llms,
    card,
    icp,
    openapi,
    pricing,
    candidates: all,
    samples,
  };
}
