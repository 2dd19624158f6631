import { readdirSync, readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

type Coded = { id: string; onetCode: string; example: boolean };
type Candidate = Coded & { name: string; skills?: string[] };
type JobOrder = Coded & { client: string };
type Placement = Coded & {
  candidateId: string;
  jobOrderId: string;
  startDate?: string;
  feeModel?: string;
  outcome: { result: string; validated: boolean };
};

const content = new URL('../../content/', import.meta.url);
const text = (path: string) => readFileSync(new URL(path, content), 'utf8');
const candidates: Candidate[] = JSON.parse(text('seed/candidates.json'));
const jobOrders: JobOrder[] = JSON.parse(text('seed/job-orders.json'));
const placements: Placement[] = JSON.parse(text('seed/placements.json'));
const { asOf, statement } = JSON.parse(text('seed/as-of.json'));
const records = [...candidates, ...jobOrders, ...placements];

const DATE = /^\d{4}-\d{2}-\d{2}$/;
const daysBetween = (from: string, to: string) => (Date.parse(to) - Date.parse(from)) / 86_400_000;
const statusOf = ({ startDate, outcome }: Placement) => {
  if (startDate === undefined || startDate > asOf) return 'scheduled';
  if (outcome.result === 'attrited') return 'ended-early';
  return daysBetween(startDate, asOf) >= 90 ? 'completed' : 'active';
};
const live = placements.filter((p) => statusOf(p) !== 'ended-early');
const placed = new Set(live.map((p) => p.candidateId));
const filled = new Set(live.map((p) => p.jobOrderId));
const open = jobOrders.filter((j) => !filled.has(j.id));
const available = candidates.filter((c) => !placed.has(c.id));
const unique = (values: unknown[], what: string) => assert.is(new Set(values).size, values.length, what);

const seed = suite('seed');

seed('has the promised counts, every record marked as an example, one record a line', () => {
  assert.equal([candidates.length, jobOrders.length, placements.length], [48, 40, 48]);
  assert.ok(records.every((r) => r.example === true));
  assert.ok(DATE.test(asOf) && statement.length > 0);
  for (const [name, rows] of Object.entries({ candidates, 'job-orders': jobOrders, placements }))
    assert.is(text(`seed/${name}.json`).trimEnd().split('\n').length, rows.length + 2, name);
});

seed('resolves every reference, under the code of the job order', () => {
  for (const p of placements) {
    const candidate = candidates.find((c) => c.id === p.candidateId);
    const order = jobOrders.find((j) => j.id === p.jobOrderId);
    assert.is(p.onetCode, order?.onetCode, p.id);
    assert.is(candidate?.onetCode.slice(0, 2), p.onetCode.slice(0, 2), p.id);
  }
});

seed('uses codes of the vocabulary, over at least 20 major groups', () => {
  const folder = new URL('occupations/', content);
  const files = readdirSync(folder).filter((name) => /^\d\d\.json$/.test(name));
  const codes = new Set(
    files.flatMap((name): string[] =>
      JSON.parse(text(`occupations/${name}`)).occupations.map((o: { id: string }) => o.id),
    ),
  );
  for (const r of records) assert.ok(codes.has(r.onetCode), `${r.id}: ${r.onetCode}`);
  assert.ok(new Set(records.map((r) => r.onetCode.slice(0, 2))).size >= 20);
});

seed('shows every status and every outcome', () => {
  for (const status of ['scheduled', 'active', 'completed', 'ended-early'])
    assert.ok(placements.filter((p) => statusOf(p) === status).length >= 6, status);
  assert.ok(placed.size >= 10 && available.length >= 10);
  assert.ok(filled.size >= 8 && open.length >= 8);
  const wanted = new Set(open.map((j) => j.onetCode));
  assert.ok(new Set(available.map((c) => c.onetCode).filter((code) => wanted.has(code))).size >= 10);
  const outcomes = new Set(placements.map((p) => `${p.outcome.result} ${p.outcome.validated}`));
  for (const result of ['retained', 'converted', 'attrited'])
    assert.ok(outcomes.has(`${result} true`) && outcomes.has(`${result} false`), result);
  assert.ok(placements.some((p) => statusOf(p) === 'completed' && p.outcome.result === 'pending'));
});

seed('holds outcomes that fit the status and the fee model', () => {
  const fits: Record<string, string[]> = {
    scheduled: ['pending'],
    active: ['pending'],
    completed: ['pending', 'retained', 'converted'],
    'ended-early': ['attrited'],
  };
  for (const { id, startDate, feeModel, outcome, ...rest } of placements) {
    const status = statusOf({ id, startDate, feeModel, outcome, ...rest });
    assert.ok(fits[status]?.includes(outcome.result), `${id}: ${status} and ${outcome.result}`);
    if (outcome.validated) assert.is.not(outcome.result, 'pending', id);
    if (outcome.result === 'converted') assert.is(feeModel, 'contract-to-hire', id);
    if (startDate !== undefined) assert.is(new Date(startDate).toISOString().slice(0, 10), startDate, id);
    assert.ok([undefined, 'perm-fee', 'contract-markup', 'contract-to-hire'].includes(feeModel), id);
  }
});

seed('places nobody twice at once and fills no job order twice at once', () => {
  for (const key of ['candidateId', 'jobOrderId'] as const)
    for (const [, group = []] of Map.groupBy(placements, (p) => p[key])) {
      const sorted = group.toSorted((a, b) => (a.startDate ?? '9999').localeCompare(b.startDate ?? '9999'));
      for (const [i, next] of sorted.slice(1).entries()) {
        const gap = daysBetween(sorted[i]!.startDate!, next.startDate ?? asOf);
        assert.ok(gap >= (statusOf(sorted[i]!) === 'ended-early' ? 14 : 90), `${next.id}: ${gap} days`);
      }
    }
});

seed('is visibly fictional, short, and free of contact or identity numbers', () => {
  for (const { id, name, skills = [] } of candidates) {
    assert.ok(name.endsWith('-Sample') && name.length <= 40, id);
    assert.ok(skills.length <= 4 && skills.every((s) => s.length <= 24), id);
  }
  for (const { id, client } of jobOrders) assert.ok(/\bExample\b/.test(client) && client.length <= 40, id);
  unique([...candidates.map((c) => c.name), ...jobOrders.map((j) => j.client)], 'names and clients');
  const personal = /@|\d{7,}|\d{3}\)?[ .-]\d{4}\b|\b\d{3}-\d{2}-\d{4}\b|\b\d{3}[ .-]\d{3}\b/;
  for (const s of ['a@b.org', '(614) 555-0100', '555.0100', '614 555 0100', '000-12-3456', '12-3456789'])
    assert.match(s, personal);
  for (const r of records) assert.not.match(JSON.stringify(r), personal);
});

seed.run();
