import { el } from '../dom.ts';
import type { Shown } from './change.ts';
import { isNamed, kindOfId, nameOf } from './desk.ts';
import type { Row } from './facts.ts';

/** A value of a record as a person reads it; what names another record or an occupation leads there. */
function drawValue(row: Row, name: string, value: unknown): Node | string {
  if (name === 'onetCode') return el('a', { href: `/occupations/${value}.html` }, String(value));
  const text = String(value);
  const kind = typeof value === 'string' ? kindOfId(text) : undefined;
  if (kind && /^[a-z]+_\w+$/.test(text)) {
    const link = el('a', { href: `#${text}`, dir: 'auto' }, nameOf(text));
    const isGone = Object.entries(row.links).some(([of, href]) => of === kind.name && href === null);
    if (isGone) return `${text}, which is not here`;
    return isNamed(text) ? el('span', {}, link, ' ', el('span', { class: 'code-text' }, text)) : link;
  }
  if (!Array.isArray(value)) return text;
  return el('ul', { class: 'tags plain' }, ...value.map((one) => el('li', { dir: 'auto' }, String(one))));
}

/** What a record holds, in the words of its form. */
export function drawMembers({ kind, row }: Shown): HTMLElement {
  const fields = [...kind.fields, ...kind.moving].filter(({ name }) => {
    const value = row[name];
    return value !== undefined && name !== 'ref' && !(Array.isArray(value) && value.length === 0);
  });
  return el(
    'dl',
    { class: 'said' },
    ...fields.map(({ name, title }) =>
      el('div', {}, el('dt', {}, title), el('dd', { dir: 'auto' }, drawValue(row, name, row[name]))),
    ),
  );
}
