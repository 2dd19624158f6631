import { need } from '../../_scripts/dom.ts';
import type { KindFacts, PageFacts } from './model.ts';

/** The element that the desk is drawn in. */
export const root = need<HTMLElement>(document, '[data-facts]');

/** What the build says of the kinds of records, of prices and of forms. */
export const facts = JSON.parse(root.dataset.facts!) as PageFacts;

export const findKind = (name: string): KindFacts => facts.kinds.find((kind) => kind.name === name)!;

/** Returns the kind of a record by its id. Returns undefined if the text is not an id. */
export const kindOfId = (id: string): KindFacts | undefined =>
  /^[a-z]+_\w+$/.test(id) ? facts.kinds.find(({ prefix }) => id.startsWith(prefix)) : undefined;
