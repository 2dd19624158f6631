import type { Service } from './kernel/service.ts';
import { isHandle, resolveRungs } from './ladder/ladder.ts';
import { openAsOwner } from './ladder/owner.ts';
import { createMatcher, type MatchTables } from './matches/matcher.ts';
import { createSearch } from './occupations/titles/search.ts';
import { createMeter } from './pricing/meter.ts';
import { listReferences } from './records/kinds.ts';
import { chargeRead } from './records/usage.ts';
import { createSeedView } from './records/view.ts';
import { openWorkspace } from './records/workspace.ts';
import { Workspaces } from './workspace/workspaces.ts';

/** Makes one of what is read, at the first call; what could not be read is read again at the next. */
function loadOnce<F, T>(read: () => F | Promise<F>, create: (from: F) => T): () => Promise<T> {
  let made: Promise<T> | undefined;
  const make = async () => create(await read());
  return () => {
    made ??= make().catch((error) => {
      made = undefined;
      throw error;
    });
    return made;
  };
}

/**
 * Puts a service together from what a host provides; what can be decided once is decided here. Throws where the rate
 * card holds what cannot be metered.
 */
export function createService(
  parts: Omit<
    Service,
    | 'meter'
    | 'chargeRead'
    | 'openWorkspace'
    | 'rungs'
    | 'seed'
    | 'occupationByCode'
    | 'search'
    | 'matcher'
    | 'workspaces'
  >,
): Service {
  const { catalogue, platform } = parts;
  const { matching, occupations } = catalogue;
  const search = loadOnce(catalogue.searchFile, createSearch);
  const meter = createMeter(catalogue.pricing, parts.operations);
  const seed = createSeedView(catalogue.seed);
  const { store } = parts;
  const workspaces = new Workspaces({ store, platform, seed: seed.workspace, listReferences });
  store.onChange((key) => {
    if (key === undefined) workspaces.forgetAll();
    parts.waits?.wake(key);
  });
  const service: Service = {
    ...parts,
    workspaces,
    seed,
    meter,
    chargeRead: (operation, workspace, outcome) => chargeRead(service, operation, workspace, outcome),
    openWorkspace: (id, bearer) =>
      parts.passkeys && isHandle(id)
        ? openAsOwner({ ...parts, workspaces }, id, bearer)
        : openWorkspace({ platform, workspaces }, id),
    rungs: () => resolveRungs(parts),
    occupationByCode: new Map(occupations.map((entry) => [entry.id, entry])),
    async search(client) {
      await platform.pause(client);
      return search();
    },
    matcher: loadOnce(catalogue.matchTables, (tables) =>
      createMatcher(tables as MatchTables, matching, occupations),
    ),
  };
  return service;
}
