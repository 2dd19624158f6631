import { fill, toUnlisted } from '../kernel/document.ts';
import type { Operation } from '../kernel/operation.ts';
import { withIndex } from '../kernel/representation.ts';
import type { Service } from '../kernel/service.ts';
import { toApiReference } from './api-reference.ts';

/** Pages that a person works on: what each says to a model is the paper of its name, the calls that do the same. */
const pages = ['workspace', 'receipt', 'confirm', 'shortlist', 'claim'];

const toTwin = (path: string, make: (service: Service) => string): Operation =>
  toUnlisted({
    operationId: `get${path[1]!.toUpperCase()}${path.slice(2)}Page`,
    path: `${path}.md`,
    summary: 'A page in Markdown',
    description: 'What a page says, for a model.',
    type: 'text/markdown; charset=utf-8',
    make: (service) => withIndex(make(service)),
  });

/** The Markdown of every page that no other row has. */
export const pageTwins: readonly Operation[] = [
  toTwin('/api', toApiReference),
  ...pages.map((name) => toTwin(`/${name}`, (service) => fill(service, name))),
];
