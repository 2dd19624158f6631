import type { Operation } from './operation.ts';
import { type Face, toFacePath } from './router.ts';

const discovery = [
  '</.well-known/api-catalog>; rel="api-catalog"',
  '</openapi.json>; rel="service-desc"; type="application/json"',
  '</llms.txt>; rel="describedby"; type="text/plain"',
  '</.well-known/agents.json>; rel="service-meta"; type="application/json"',
];

const types = { json: 'application/json', md: 'text/markdown', html: 'text/html' } as const;

/** The Link header (RFC 8288) that names every face of a resource, the one it stands on included. */
export function toFaceLinks(operation: Operation, path: string): { Link?: string } {
  const faces: Exclude<Face, 'own'>[] = [];
  if (operation.markdown) faces.push('md');
  if (operation.page) faces.push('html');
  if (faces.length === 0) return {};
  const alternates = (['json', ...faces] as const).map(
    (face) => `<${toFacePath(path, face)}>; rel="alternate"; type="${types[face]}"`,
  );
  return { Link: [...alternates, ...(path === '/' ? discovery : [])].join(', ') };
}
