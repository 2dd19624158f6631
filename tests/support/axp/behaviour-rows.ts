import { type Representation, toAlternates, toFace } from '../link-header.ts';
import { isMetered, type Probe, toProbes } from './surface-rows.ts';
import {
  firstFailing,
  firstOf,
  isHtml,
  isHtmlFace,
  isJsonFace,
  isMarkdownFace,
  isOk,
  jsonAccept,
  type Row,
  tell,
  type Verdict,
  type Visit,
} from './visit.ts';
import type { Seen } from './wire.ts';

const faceTests: Record<Representation, (seen: Seen) => boolean> = {
  html: isHtmlFace,
  json: isJsonFace,
  md: isMarkdownFace,
};

export function expectFace(face: Representation, seen: Seen, asked: string): Verdict {
  return faceTests[face](seen) ? undefined : `${asked} wants ${face}: ${tell(seen)}`;
}

function expectAlternates(seen: Seen): Verdict {
  const own = toFace(seen.type);
  if (!own) return `no face has the type ${seen.type}: ${tell(seen)}`;
  const named = toAlternates(String(seen.headers.link ?? ''), seen.url);
  const missing = (['html', 'json', 'md'] as const).filter((face) => face !== own && !named.has(face));
  return missing.length > 0 ? `the ${own} face does not link to ${missing}: ${seen.headers.link}` : undefined;
}

const suffixFaces: Record<string, Representation> = { '.html': 'html', '.json': 'json', '.md': 'md' };

/** How the home page answers those who ask in different ways. */
export const homeRows: readonly Row[] = [
  {
    id: 'check-machine-legible-home',
    check({ home, samples }) {
      const homes = [home.bare, home.json, home.agent].map((seen) =>
        isOk(seen) && seen.text !== '' && !isHtml(seen) ? undefined : `not legible: ${tell(seen)}`,
      );
      const pages = samples.map((seen) =>
        isHtmlFace(seen) ? `HTML for a JSON reader: ${tell(seen)}` : undefined,
      );
      return firstOf([...homes, ...pages]);
    },
  },
  {
    id: 'check-conneg-accept',
    check: ({ home }) =>
      firstOf([
        expectFace('html', home.browser, 'a browser Accept'),
        expectFace('json', home.json, 'Accept: application/json'),
        expectFace('md', home.markdown, 'Accept: text/markdown'),
      ]),
  },
  {
    id: 'check-conneg-client-class',
    check: ({ home }) =>
      firstOf([
        expectFace('json', home.bare, 'a bare client'),
        expectFace('html', home.document, 'Sec-Fetch-Dest: document'),
        expectFace('md', home.agent, 'a named agent'),
      ]),
  },
  {
    id: 'check-conneg-alternates',
    check: ({ home }) => firstOf([home.bare, home.browser, home.markdown].map(expectAlternates)),
  },
  {
    id: 'check-conneg-forced-face',
    check({ alternates, forced, wire }) {
      return firstOf(
        (['html', 'json', 'md'] as const).map((face) => {
          const href = alternates.get(face);
          if (!href) return `no address of the ${face} face is advertised`;
          const { origin, pathname } = new URL(href);
          if (origin !== wire.origin) return `the ${face} face is at another origin: ${href}`;
          const said = suffixFaces[/\.(html|json|md)$/.exec(pathname)?.[0] ?? ''];
          if (said && said !== face) return `${pathname} does not say ${face}`;
          return expectFace(face, forced.get(face)!, 'its own address');
        }),
      );
    },
  },
];

async function expectType(visit: Visit, url: string, statuses: number[], type: string): Promise<Verdict> {
  const seen = await visit.wire.get(url, jsonAccept);
  const isSo = statuses.includes(seen.status ?? 0) && seen.body?.type === type;
  return isSo ? undefined : `wants ${statuses} ${type}: ${tell(seen)}`;
}

/** Every probe of a channel holds; a channel without any does not. */
function judgeChannel(visit: Visit, channel: string, check: (probe: Probe) => Promise<Verdict>) {
  const probes = toProbes(visit, channel);
  return probes.length === 0 ? `no ${channel} probe` : firstFailing(probes, check);
}

/** A probe's own answer, and an OK at the same path without its query: the answer is made, not fixed. */
function judgeFlip(visit: Visit, channel: string, statuses: number[], type: string) {
  return judgeChannel(
    visit,
    channel,
    async ({ url }) =>
      (await expectType(visit, url, statuses, type)) ??
      (await expectType(visit, new URL(url, visit.wire.origin).pathname, [200], 'OK')),
  );
}

async function judgeOffer(visit: Visit): Promise<Verdict> {
  const { offers, probe } = visit.card.body?.monetization ?? {};
  if (!Array.isArray(offers) || offers.length === 0) return 'no monetization.offers';
  if (!probe) return undefined;
  const { url, method = 'GET' } = probe;
  if (method !== 'GET' || new URL(url, visit.wire.origin).origin !== visit.wire.origin)
    return `no GET of ours: ${url}`;
  const seen = await visit.wire.get(url, jsonAccept);
  const { type, id, title, alternatives, price, checkoutUrl } = seen.body ?? {};
  const isNamed = typeof (id ?? title) === 'string';
  const isOffer = Array.isArray(alternatives) || price !== undefined || typeof checkoutUrl === 'string';
  return seen.status === 402 && type === 'OFFER' && isNamed && isOffer ? undefined : tell(seen);
}

/** Calls each overCeiling probe with a spend made from the ceiling; free services have none. */
const ceilingRow = (id: string, toSpend: (ceiling: number, visit: Visit) => number, status: number): Row => ({
  id,
  check(visit) {
    if (!isMetered(visit)) return undefined;
    const ceiling = visit.pricing.body?.hardCeiling;
    if (!(ceiling > 0)) return `hardCeiling is ${ceiling}`;
    const probes = toProbes(visit, 'overCeiling').filter(({ param }) => param);
    if (probes.length === 0) return 'no overCeiling probe';
    return firstFailing(probes, ({ url, param }) => {
      const target = new URL(url, visit.wire.origin);
      target.searchParams.set(param!, String(toSpend(ceiling, visit)));
      return expectType(visit, target.href, [status], status === 402 ? 'OFFER' : 'OK');
    });
  },
});

/** What the probes answer, and how the ceiling holds. */
export const behaviourRows: readonly Row[] = [
  {
    id: 'keyless-first-value',
    check: (visit) => judgeChannel(visit, 'keyless', ({ url }) => expectType(visit, url, [200], 'OK')),
  },
  { id: 'typed-empty', check: (visit) => judgeFlip(visit, 'knownEmpty', [200], 'EMPTY') },
  { id: 'typed-blocked', check: (visit) => judgeFlip(visit, 'knownForbidden', [401, 403], 'BLOCKED') },
  {
    id: 'pricing-declared',
    check: (visit) =>
      judgeChannel(visit, 'pricing', async ({ url }) => {
        const seen = await visit.wire.get(url, jsonAccept);
        const isDeclared = seen.status === 200 && ['free', 'metered'].includes(seen.body?.model);
        return isDeclared ? undefined : tell(seen);
      }),
  },
  { id: 'check-offers-402', check: judgeOffer },
  {
    id: 'hard-ceiling-positive',
    check: (visit) =>
      !isMetered(visit) || visit.pricing.body?.hardCeiling > 0 ? undefined : tell(visit.pricing),
  },
  ceilingRow('hard-ceiling-enforced', (ceiling, { random }) => ceiling * (500 + random() * 1000), 402),
  ceilingRow('hard-ceiling-below', (ceiling) => ceiling * 0.5, 200),
  ceilingRow('hard-ceiling-not-premature', () => 0, 200),
];
