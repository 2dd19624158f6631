import { type Representation, toAlternates, toFace } from '../link-header.ts';
import {
  firstOf,
  isHtml,
  isHtmlFace,
  isJsonFace,
  isMarkdownFace,
  isOk,
  type Row,
  tell,
  type Verdict,
} from './row.ts';
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
