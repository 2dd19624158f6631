import { toRepresentationPath } from '../../kernel/router.ts';
import { service } from './ask.ts';

/** Another representation of what a page shows, at a suffixed address. */
interface OtherRepresentation {
  name: string;
  href: string;
  type: string;
}

/** The representations of the resource at `path` beside the page itself: JSON where it is frozen, Markdown where it has one. */
export function toOtherRepresentations(path: string): OtherRepresentation[] {
  const twin = toRepresentationPath(path, 'md');
  if (service.operations.some((row) => row.path === twin)) {
    return [{ name: 'Markdown', href: twin, type: 'text/markdown' }];
  }
  const isList = service.operations.find((row) => row.path === path && row.method === 'GET');
  const parent = `${path.slice(0, path.lastIndexOf('/'))}/{id}`;
  const row = isList ?? service.operations.find((one) => one.path === parent && one.method === 'GET');
  if (!row?.frozen) return [];
  return [
    { name: 'JSON', href: toRepresentationPath(path, 'json'), type: 'application/json' },
    ...(row.markdown
      ? [{ name: 'Markdown', href: toRepresentationPath(path, 'md'), type: 'text/markdown' }]
      : []),
  ];
}
