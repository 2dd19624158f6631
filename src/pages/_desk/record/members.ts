/** The members of a record, in words for a person. */
import { html, type TemplateResult } from 'lit-html';
import { formatAmount, formatDate, formatDatesIn, formatDollars, formatPay } from '../../_scripts/format.ts';
import { isolate } from '../../_scripts/isolate.ts';
import { hasName, viewName } from '../common/names.ts';
import { occupationOf } from '../common/occupations.ts';
import { valueWords } from '../common/value-words.ts';
import type { OpenedRecord, PageRecord } from '../state/model.ts';
import { kindOfId } from '../state/page-facts.ts';

/** Shows a value for a person. The id of a record and the code of an occupation become links. */
function viewValue(row: PageRecord, name: string, value: unknown): unknown {
  if (name === 'onetCode')
    return html`<a href=${`/occupations/${value}.html`}>${occupationOf(row.onetCode).title}</a>
      <span class="code-text">${value}</span>`;
  if (/Usd(Hour|Year)$/.test(name)) return formatPay(name, value as number);
  if (Array.isArray(value))
    return html`<ul class="tags plain">${value.map((one) => html`<li dir="auto">${formatDatesIn(String(one))}</li>`)}</ul>`;
  if (name === 'guaranteeDays') return formatAmount(value as number, 'day');
  const text = valueWords[name]?.[String(value)] ?? String(value);
  const kind = kindOfId(text);
  if (!kind) return isolate(text);
  const isGone = Object.entries(row.links).some(([of, href]) => of === kind.name && href === null);
  if (isGone) return `${text}, which is not here`;
  const code = hasName(text) ? text : '';
  return html`<a href=${`#${text}`} dir="auto">${viewName(text)}</a> <span class="code-text">${code}</span>`;
}

/** Shows from when a person is free. */
function viewFreeFrom({ freeFrom }: PageRecord): unknown {
  if (freeFrom === undefined) return '';
  const words = typeof freeFrom === 'string' ? formatDate(freeFrom) : 'No end of the placement is known';
  return html`<div><dt>Free from</dt><dd>${words}</dd></div>`;
}

/** The members that the title of a record and the line below it say. */
const saidAbove: Record<string, readonly string[]> = {
  candidate: [
    'ref',
    'name',
    'title',
    'metro',
    'shifts',
    'payRateUsdHour',
    'salaryUsdYear',
    'workplaces',
    'hoursPerWeek',
  ],
  jobOrder: ['ref', 'title', 'client'],
  placement: ['ref', 'billRateUsdHour', 'payRateUsdHour', 'hoursPerWeek'],
};

/** Shows the members of a record, with the labels of its form. Its title has its name. */
export function viewMembers({ kind, row }: OpenedRecord): TemplateResult {
  const isShown = (value: unknown) => value !== undefined && !(Array.isArray(value) && value.length === 0);
  const isSaid = (name: string) => name in kind.references || (saidAbove[kind.name] ?? []).includes(name);
  const fields = [...kind.fields, ...kind.moving].filter(({ name }) => !isSaid(name) && isShown(row[name]));
  const { pay } = 'outcome' in row ? {} : occupationOf(row.onetCode);
  const { p10, median, p90 } = pay?.hourly ?? {};
  return html`<dl class="facts">${fields.map(
    ({ name, title, type }) =>
      html`<div><dt>${name === 'onetCode' ? 'Occupation' : title}</dt><dd dir="auto">${
        type === 'date' ? formatDate(String(row[name])) : viewValue(row, name, row[name])
      }</dd></div>`,
  )}${viewFreeFrom(row)}${
    p10 && median && p90
      ? html`<div><dt>Usual pay</dt><dd>${formatDollars(p10)} to ${formatDollars(p90)} an hour, median ${formatDollars(median)}
          <span class="note">(10th to 90th percentile, ${pay?.release})</span></dd></div>`
      : ''
  }</dl>`;
}
