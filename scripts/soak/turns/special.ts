import { largestBody } from '../../../src/kernel/operation.ts';
import type { Input } from './calls.ts';
import { type Args, serial } from './largest.ts';
import { from, mostOfBatch, onetCode, toSkills } from './world.ts';

/** What the inputs are about: the workspace with very many records. */
export interface Large {
  workspace: string;
  /** How many candidates have a ref, from `candidate-0` on. */
  count: number;
}

const numbers = (count: number) => [...Array(count).keys()];
const strictly = (inputs: Input[]): Input[] =>
  inputs.flatMap((input) => [input, { ...input, what: `${input.what}, strict`, isStrict: true }]);
const dryAndNot = ({ args, ...input }: Input): Input[] =>
  [true, false].map((dryRun) => ({
    ...input,
    what: `${input.what}, ${dryRun ? 'dry' : 'not dry'}`,
    args: { ...args, dryRun },
  }));

const wide = 'ﷺ/';
/** Bytes of a file, so that its JSON with the other arguments fits into the largest body. */
const mostOfFile = largestBody - 1000;
const fillBytes = (text: string, bytes: number) => text.repeat(Math.floor(bytes / Buffer.byteLength(text)));

function listBatches({ workspace, count }: Large): Input[] {
  const candidates = numbers(mostOfBatch).map((at) => ({
    name: `A ${serial} ${at}`,
    onetCode,
    skills: toSkills(at),
    note: 'a note '.repeat(280),
    credentials: toSkills(at + 50).slice(0, 20),
  }));
  const changes = numbers(Math.min(mostOfBatch, count)).map((at) => ({
    id: `#candidate-${at}`,
    skills: toSkills(at),
    note: `${serial} ${'a note '.repeat(200)}`,
  }));
  const unknown = numbers(mostOfBatch).map((at) => ({
    name: 'A',
    onetCode,
    ...Object.fromEntries(numbers(20).map((name) => [`${'ab cd '.repeat(12)}${name}`, at])),
  }));
  return strictly([
    { what: '200 records', args: { candidates }, aim: {} },
    { what: '200 changes', args: { changes }, aim: { workspace } },
    { what: '200 records of 20 unknown members', args: { candidates: unknown }, aim: {} },
    {
      what: '200 wrong codes',
      args: { candidates: candidates.map(() => ({ name: 'A', onetCode: 'nurze' })) },
      aim: {},
    },
  ]);
}

/** A file of 200 rows whose cells fill the largest body. */
function writeCsv(): string {
  const row = (at: number) => `${at},Ann ${serial},nurze techer ${at},${'Columbus; '.repeat(500)},$45`;
  const rows = ['ID,Name,Job Title,Skills,Desired Rate', ...numbers(mostOfBatch).map(row)];
  return rows.join('\n').slice(0, mostOfFile);
}

function listImports(): Input[] {
  const csv = (what: string, text: string): Input => ({
    what,
    args: { format: 'csv', kind: 'candidates', text },
    aim: {},
  });
  const document = (format: string, data: unknown): Input => ({
    what: `${format} of 1 MiB`,
    args: { format, data },
    aim: {},
  });
  const resumes = numbers(mostOfBatch).map((at) => ({
    basics: {
      name: `Ann ${serial}`,
      label: `nurze techer ${at}`,
      location: { city: 'Columbus', region: 'OH' },
    },
    skills: toSkills(at).map((name) => ({ name, keywords: [name] })),
    certificates: toSkills(at)
      .slice(0, 20)
      .map((name) => ({ name })),
  }));
  const postings = numbers(mostOfBatch).map((at) => ({
    '@type': 'JobPosting',
    title: `nurze techer ${at}`,
    hiringOrganization: { name: `A ${serial}` },
    skills: toSkills(at),
    baseSalary: { currency: 'USD', value: { minValue: 20, maxValue: 30, unitText: 'HOUR' } },
    description: 'a note '.repeat(300),
  }));
  return [
    csv('csv of 1 MiB', writeCsv()),
    csv('csv of 100,000 short rows', `Name,Job Title\n${fillBytes('A,nurze\n', mostOfFile * 0.8)}`),
    csv('csv of 100,000 columns', `Name,${fillBytes('Skills,', mostOfFile * 0.8)}\nA,B`),
    csv('csv of one wide cell', `Name,Job Title,Skills\nA,nurse,${fillBytes(wide, mostOfFile)}`),
    csv('csv of one wide title', `Name,Job Title\nA,${fillBytes(wide, mostOfFile)}`),
    csv('csv of a wide header', `Name,${fillBytes(wide, mostOfFile)}\nA,B`),
    csv('csv of one quote', `Name,Job Title\n"${fillBytes('A,', mostOfFile)}`),
    document('resume', resumes),
    document('posting', postings),
  ].flatMap(dryAndNot);
}

function listTitles(): Input[] {
  const words = `nurze techer drivr ${serial} clark sales manger assistnt chief enginer electrican`;
  const titles = (text: (at: number) => string) => ({ titles: numbers(100).map(text) });
  return [
    { what: '100 titles of misspelled words', args: titles((at) => `${at} ${words}`), aim: {} },
    {
      what: '100 long titles',
      args: titles((at) => `${at} ${words} ${words} ${words}`.slice(0, 200)),
      aim: {},
    },
    { what: '100 wide titles', args: titles((at) => `${at} ${wide.repeat(90)}`), aim: {} },
  ];
}

/** Matches of one order, each call of another client: with all of them the process takes the most memory. */
const listMatches = ({ workspace }: Large): Input[] =>
  numbers(40).map((at) => ({
    what: 'eight clients at once',
    args: { limit: 200 - at },
    aim: { id: `#jobOrder-${at % 8}`, workspace },
    headers: from(10 + (at % 8)),
  }));

const toMessage = (method: string, params: Args) => ({ jsonrpc: '2.0', id: 1, method, params });

function listMessages(): Input[] {
  const argument = { name: 'code', value: `nurze techer drivr ${serial}` };
  const ref = { type: 'ref/resource', uri: 'careers://occupations/{code}' };
  const deep = `${'[['.repeat(10_000)}${']]'.repeat(10_000)}`;
  return [
    { what: 'completion', args: toMessage('completion/complete', { ref, argument }), aim: {} },
    {
      what: 'unknown tool',
      args: toMessage('tools/call', { name: `${serial}${'x_'.repeat(30_000)}` }),
      aim: {},
    },
    {
      what: 'deep arguments',
      args: toMessage('tools/call', { name: 'createBatch', arguments: deep }),
      aim: {},
    },
  ];
}

/** Inputs of some operations that are more work than the largest that their schema describes. */
export const specialInputs: Readonly<Record<string, (large: Large) => Input[]>> = {
  createBatch: listBatches,
  importRecords: listImports,
  codeTitles: listTitles,
  matchCandidates: listMatches,
  callMcp: listMessages,
  deleteWorkspace: ({ workspace }) => [{ what: 'the large one', args: {}, aim: { workspace } }],
};
