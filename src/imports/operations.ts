import * as v from 'valibot';
import { isObject } from '../kernel/json.ts';
import { defineOperation, largestBody } from '../kernel/operation.ts';
import { listSchema, maxCharacters, may, say } from '../kernel/text.ts';
import { mostRecords } from '../records/account/workspace-view.ts';
import type { Context } from '../records/service.ts';
import { longestCell } from './cell-text.ts';
import { importCollections } from './columns.ts';
import { decodeFile } from './decode.ts';
import { mostColumns } from './header.ts';
import { importRecords, tabSeparated } from './import-records.ts';

const short = v.pipe(v.string('must be a string'), maxCharacters(200));
const cell = v.pipe(v.string('must be a string'), maxCharacters(longestCell));
const fileText = v.pipe(v.string('must be a string'), maxCharacters(largestBody));

const DocumentObject = v.looseObject({}, 'must be an object or an array');
const Unread = v.custom<object>(() => true);

/**
 * A document: an object, or an array of them. The contract shows the object. It is not copied, because it may have
 * thousands of members.
 */
const Document = v.lazy((sent) => (typeof sent === 'object' && sent !== null ? Unread : DocumentObject));

const Code = v.object(
  {
    at: say(short, 'The row.'),
    title: may(v.nullable(cell), 'That of the row.'),
    onetCode: may(v.nullable(short), 'Its code.'),
  },
  'must be an object',
);

const ColumnMap = v.record(short, short, 'must be an object, such as {"Position Desired": "title"}');
const ColumnList = listSchema(
  v.object({ from: short, to: short }, 'must be an object'),
  mostColumns,
  'columns',
  'objects',
);

/** Refuses an object before its members are checked, because each name is compared with those of the file. */
const TooManyColumns = v.custom<Record<string, string>>(
  () => false,
  `must name at most ${mostColumns} columns; send fewer`,
);

function chooseColumns(sent: unknown) {
  if (Array.isArray(sent)) return ColumnList;
  return isObject(sent) && Object.keys(sent).length > mostColumns ? TooManyColumns : ColumnMap;
}

/** What unknown columns mean: an object, or a list as `mapping` is. The contract shows the object. */
const NamedColumns = v.lazy(chooseColumns);

const importFile = defineOperation({
  operationId: 'importRecords',
  method: 'POST',
  path: '/imports',
  input: v.object({
    format: v.pipe(
      v.picklist(['csv', 'resume', 'posting'], 'must be one of csv, resume, posting'),
      v.description('What it is: a CSV file, JSON Resume or JobPosting'),
    ),
    kind: may(
      v.picklist(importCollections, 'must be one of candidates, jobOrders'),
      'What rows are, in: a CSV file',
    ),
    text: may(fileText, 'Up to 1,048,576 bytes: a CSV file'),
    data: may(Document, 'As JSON: JSON Resume or JobPosting'),
    codes: may(listSchema(Code, mostRecords, 'codes', 'objects'), 'Of a dry run, corrected.'),
    columns: may(NamedColumns, 'Members by the names of unknown columns, in: a CSV file'),
    dryRun: may(v.boolean('must be true or false'), 'false writes all or none: dry unless dryRun is false'),
    upsert: may(v.boolean('must be true or false'), 'A row whose ref a record has changes it'),
    onProblem: may(
      v.picklist(['refuse', 'skip'], 'must be one of refuse, skip'),
      'skip leaves out rows with problems',
    ),
  }),
  otherBody: {
    type: 'text/csv',
    // Firefox on Windows names a CSV file as Excel does.
    otherTypes: [
      'application/csv',
      'application/vnd.ms-excel',
      tabSeparated,
      'text/plain',
      'application/octet-stream',
    ],
    byQuery: 'kind',
    how: 'a CSV file as text/csv with ?kind=candidates or ?kind=jobOrders',
    query: ['kind', 'dryRun', 'upsert', 'onProblem'],
    read(call) {
      const { text: file, warnings } = decodeFile(call);
      return { args: { format: 'csv', text: file }, warnings };
    },
  },
  bodyLimit: largestBody,
  isBulk: true,
  access: { workspace: true },
  run: (input, context: Context) => importRecords(input, context),
});

export const importOperations = [importFile];
