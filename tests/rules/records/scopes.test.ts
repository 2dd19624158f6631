import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { toBody } from '../../support/sandbox.ts';
import { World } from '../../support/world.ts';

const scopes = suite('scopes of a list');

const world = new World();
const kinds = { candidates: 'candidate', 'job-orders': 'jobOrder', placements: 'placement' } as const;
const collections = {
  candidates: 'candidates',
  'job-orders': 'jobOrders',
  placements: 'placements',
} as const;

/** The ids of a list, and how many there are. */
async function list(path: keyof typeof kinds, query: string, workspace?: string) {
  const headers = workspace ? { 'x-workspace': workspace } : {};
  const { body } = await world.get(`/${path}?limit=200${query}`, headers);
  const rows = (body[collections[path]] ?? []) as { id: string }[];
  return { ids: rows.map(({ id }) => id), total: body.total as number };
}

for (const path of Object.keys(kinds) as (keyof typeof kinds)[])
  scopes(`${path}: a workspace, the seed, or both, in the order of the list`, async () => {
    const kind = kinds[path];
    const made = await world.post(`/${path}`, toBody[kind]());
    const workspace = made.body.workspace as string;
    const headers = { 'x-workspace': workspace };
    const second = await world.post(`/${path}`, toBody[kind](), headers);
    const [first, next] = [made, second].map(({ body }) => body[kind].id as string);
    const seed = await list(path, '');
    const own = [next!, first!];
    const others = (await list(path, '', workspace)).ids.filter((id) => !own.includes(id));
    assert.ok(seed.total > 0);
    assert.equal((await list(path, '&scope=public', workspace)).ids, seed.ids);
    assert.equal((await list(path, '&scope=public')).ids, seed.ids);
    assert.equal((await list(path, '&scope=all')).ids, seed.ids);
    assert.equal((await list(path, '&scope=workspace', workspace)).ids, [...own, ...others]);
    assert.equal((await list(path, '&scope=all', workspace)).ids, [...own, ...others, ...seed.ids]);
    assert.equal((await list(path, '&scope=workspace')).ids, []);
    for (const scope of ['public', 'all', 'workspace']) {
      const { ids, total } = await list(path, `&scope=${scope}`, workspace);
      assert.is(total, ids.length, scope);
    }
  });

scopes.run();
