import * as assert from 'uvu/assert';
import type { Body } from '../http.ts';
import { toId } from './command.ts';
import { type KindName, kindOf, type Target } from './members.ts';
import { isShown } from './rules.ts';
import { inside } from './send.ts';
import { hold } from './subject.ts';
import { current, toRows, type World } from './world.ts';

const toWords = (text: string) =>
  text
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '')
    .map((word) => word.replace(/s$/, ''));

function holdsWords(text: string, wanted: string): boolean {
  const words = toWords(text);
  return toWords(wanted).every((word) => words.includes(word));
}

/** Whether a row passes each filter. */
const tests: Record<string, (row: Body, value: string) => boolean> = {
  status: (row, value) => row.status === value,
  occupation: ({ onetCode }, value) =>
    onetCode === value || onetCode.startsWith(value.length > 2 ? `${value}.` : `${value}-`),
  skill: ({ skills = [] }, value) => skills.some((one: string) => holdsWords(one, value)),
  metro: ({ metro = '' }, value) => holdsWords(metro, value),
  shift: (row, value) => (row.shifts ?? [row.shift]).includes(value),
  credential: ({ credentials = [] }, value) => credentials.some((one: string) => isShown(value, one)),
  q: ({ name = '', title = '', client = '', skills = [], credentials = [], requires = [] }, value) =>
    holdsWords([name, title, client, ...skills, ...credentials, ...requires].join(' '), value),
  candidateId: (row, value) => row.candidateId === value,
  jobOrderId: (row, value) => row.jobOrderId === value,
};

const own: Record<KindName, readonly string[]> = {
  candidate: ['skill', 'metro', 'shift', 'credential', 'q'],
  jobOrder: ['skill', 'metro', 'shift', 'q'],
  placement: ['candidateId', 'jobOrderId'],
};

interface Listing {
  kind: KindName;
  filter: Record<string, string | Target>;
  limit: number;
}

/** Walks a list by its cursors, and holds it to the model. */
export async function list(world: World, { kind, filter, limit }: Listing): Promise<void> {
  const { ask } = world.subject;
  const { path, collection } = kindOf[kind];
  const space = current(world)!;
  const headers = inside(space);
  const usual = ['status', 'occupation', 'scope', ...own[kind]];
  const asked = Object.entries(filter)
    .filter(([name]) => usual.includes(name))
    .map(([name, value]) => {
      const of = name === 'candidateId' ? 'candidate' : 'jobOrder';
      return [name, typeof value === 'string' ? value : toId(world, of, value)] as const;
    });
  const { own: mine, seed } = toRows(world, space, kind);
  const { scope, ...others } = Object.fromEntries(asked) as Record<string, string>;
  const inScope = scope === 'public' ? world.seed[kind] : scope === 'workspace' ? mine : [...mine, ...seed];
  const expected = inScope.filter((row) =>
    Object.entries(others).every(([name, value]) => tests[name]!(row, value)),
  );
  const rows: Body[] = [];
  for (let cursor = ''; ; ) {
    const query = new URLSearchParams([
      ...asked,
      ['limit', `${limit}`],
      ...(cursor ? [['cursor', cursor]] : []),
    ] as string[][]);
    const target = `${path}?${query}`;
    const reply = await ask('GET', target, headers);
    const { body, text, headers: said } = reply;
    hold([reply.status, body.total], [200, expected.length], `${target}: ${text}`);
    if (said.ETag) {
      assert.is((await ask('GET', target, { ...headers, 'If-None-Match': said.ETag })).status, 304, target);
    }
    const page: Body[] = body[collection] ?? [];
    rows.push(...page);
    assert.ok(rows.length <= expected.length, `${target} goes on after ${expected.length} rows`);
    assert.is(body.type, page.length > 0 ? 'OK' : 'EMPTY');
    if (body.nextCursor === undefined) break;
    assert.is(page.length, limit);
    cursor = body.nextCursor;
  }
  hold(rows, expected, `${path} ${JSON.stringify(asked)}`);
}

/** Reads one record, and holds it to the model. */
export async function get(world: World, { kind, target }: { kind: KindName; target: Target }): Promise<void> {
  const { ask } = world.subject;
  const id = toId(world, kind, target).replace('#', '');
  const address = `${kindOf[kind].path}/${id}`;
  const headers = inside(current(world));
  const { own: mine, seed } = toRows(world, current(world)!, kind);
  const expected = [...mine, ...seed].find((row) => row.id === id);
  const { status, body, headers: said } = await ask('GET', address, headers);
  hold([status, body.type], expected ? [200, 'OK'] : [404, 'EMPTY'], address);
  if (!expected) return;
  hold(body[kind], expected, address);
  assert.is((await ask('GET', address, { ...headers, 'If-None-Match': said.ETag! })).status, 304);
}
