import * as v from 'valibot';
import { blocked, type Contracts } from '../kernel/contract.ts';
import { mostPlaces as mostNamed, okSchema } from '../kernel/envelope.ts';
import { may, say, upTo } from '../kernel/text.ts';
import { workspaceFull } from '../pricing/contract.ts';
import { mostRecords } from '../records/account/workspace-view.ts';
import { createdEntries, keptFor } from '../records/write/created-entries.ts';
import { importCollections } from './columns.ts';

/** How many places a reply lists at most: each row can have one in each column. */
const mostPlaces = 50_000;

const rows = v.optional(upTo(mostRecords, v.looseObject({}), 'One a row.'));
const at = say(v.string(), 'The row.');
const code = v.nullable(v.string());

/** A schema of what is said of several rows. */
/* @__NO_SIDE_EFFECTS__ */
const notes = (words: string) =>
  upTo(
    mostPlaces,
    v.object({
      member: say(v.string(), 'A column or member.'),
      why: say(v.string(), 'The reason.'),
      rows: upTo(mostNamed, v.number(), 'The first 20.'),
      more: may(v.number(), 'How many more rows.'),
    }),
    words,
  );

const fileEntries = {
  records: say(
    v.object({ candidates: rows, jobOrders: rows, changes: rows }),
    'A body of POST /batch, unless there is a problem; what was written after dryRun false.',
  ),
  mapping: upTo(
    mostPlaces,
    v.object({ from: say(v.string(), 'A column.'), to: say(v.string(), 'Its member.') }),
    'What became what.',
  ),
  codes: upTo(
    mostRecords,
    v.object({
      at,
      title: say(code, 'Its title.'),
      onetCode: say(code, 'null: not clear.'),
      certainty: say(v.picklist(['stated', 'sure', 'likely', 'unsure']), 'stated: by the file or you.'),
      id: may(v.string(), 'Of the record that the row changes.'),
      hasProblem: may(v.literal(true), 'problems names the row.'),
    }),
    'Of each row. Send them back, corrected.',
  ),
  problems: notes('What hinders it.'),
  notTaken: notes('What is not stored.'),
  statement: say(v.string(), 'Where records go.'),
};

/** One schema for both replies: the contract has no room for two. A dry run has neither of the optional members. */
const FileReply = okSchema({
  ...fileEntries,
  workspace: v.optional(createdEntries.workspace),
  retention: v.optional(createdEntries.retention),
});

const sampleText = [
  'Candidate ID,First Name,Last Name,Job Title,City,State,Desired Rate,License,Availability,Phone',
  '00017,Ada,Example,Registered Nurse,Columbus,OH,$45.50,RN license OH,12/01/2026,555-0100',
  '00018,Bo,Sample,Android Developer,Dayton,OH,$61.00,,Immediately,555-0101',
].join('\n');

/** The input that a model is shown. It sends a document as text too. */
const toolInput = v.object({
  format: v.picklist(['csv', 'resume', 'posting']),
  kind: may(v.picklist(importCollections), 'Of a CSV file.'),
  text: say(v.string(), 'The file, up to 1 MiB.'),
  codes: may(
    v.array(v.object({ at: v.string(), onetCode: v.string() })),
    'The codes of unclear rows, from a dry run.',
  ),
  dryRun: v.optional(v.boolean()),
  upsert: may(v.boolean(), 'Change records with the same ref.'),
  onProblem: v.optional(v.picklist(['refuse', 'skip'])),
});

export const importContracts: Contracts = {
  importRecords: {
    tag: 'workspaces',
    summary: 'Import a file',
    description: 'Reads a CSV file, JSON Resume or JobPosting; dry unless dryRun is false.',
    sample: { format: 'csv', kind: 'candidates', text: sampleText },
    // The contract has no room for examples of the successes.
    replies: {
      200: { description: 'A dry run, or only changes.', schema: FileReply },
      201: {
        description: 'What was created.',
        schema: FileReply,
        headers: ['X-Workspace'],
      },
      400: blocked('invalid_request', 'The file has problems; issues names each place.', [
        { path: 'row 4, Pay Rate', message: '"€45" is not in US dollars; convert it' },
      ]),
      402: workspaceFull,
    },
    tool: {
      description: `Read a CSV file, JSON Resume or JobPosting into records. Dry, unless dryRun is false: then it writes all or none. ${keptFor}`,
      input: toolInput,
    },
  },
};
