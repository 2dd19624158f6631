import { graderToken } from './briefs/brief.ts';
import type { Operation } from './kernel/operation.ts';
import type { Service } from './kernel/service.ts';
import { kinds } from './kinds.ts';
import { claimToken, isHandle, resolveRungs } from './ladder/ladder.ts';
import { openAsOwner } from './ladder/owner.ts';
import { createMatcher, type MatchTables } from './matches/matcher.ts';
import { createSearch } from './occupations/titles/search.ts';
import { confirmation } from './placements/confirmation.ts';
import { createMeter } from './pricing/meter.ts';
import { offer } from './pricing/offer.ts';
import { createListReferences } from './records/kind-list.ts';
import { chargeRead } from './records/usage.ts';
import { createSeedView } from './records/view.ts';
import { openWorkspace } from './records/workspace.ts';
import { shortlistToken } from './shortlists/shortlist.ts';
import { Workspaces } from './workspace/workspaces.ts';

/** Every kind of token. HTTP takes each in a header of its own. */
export const capabilities = [confirmation, shortlistToken, graderToken, claimToken];

/** Returns a function that reads and creates once, at the first call. If that fails, the next call tries again. */
function loadOnce<F, T>(read: () => F | Promise<F>, create: (from: F) => T): () => Promise<T> {
  let loaded: Promise<T> | undefined;
  const make = async () => create(await read());
  return () => {
    loaded ??= make().catch((error) => {
      loaded = undefined;
      throw error;
    });
    return loaded;
  };
}

/** Adds a 402 to the contract of a row if its calls have a price. */
function withOffer(row: Operation, isMetered: boolean): Operation {
  // In a browser, rows have no replies.
  if (!isMetered || row.replies?.[402]) return row;
  return { ...row, replies: { ...row.replies, 402: offer('meterCeiling', 'The meter is at its ceiling.') } };
}

/**
 * Creates a service from the parts that a host provides. Throws if the rate card has an entry that cannot be metered.
 */
export function createService(
  parts: Omit<
    Service,
    | 'capabilities'
    | 'meter'
    | 'chargeRead'
    | 'openWorkspace'
    | 'rungs'
    | 'seed'
    | 'occupationByCode'
    | 'search'
    | 'matcher'
    | 'kinds'
    | 'workspaces'
  >,
): Service {
  const { catalogue, platform } = parts;
  const { matching, occupations } = catalogue;
  const search = loadOnce(catalogue.searchFile, createSearch);
  const meter = createMeter(catalogue.pricing, parts.operations);
  const seed = createSeedView(catalogue.seed, kinds);
  const { store } = parts;
  const listReferences = createListReferences(kinds);
  const workspaces = new Workspaces({ store, platform, seed: seed.workspace, listReferences });
  store.onChange((key) => {
    if (key === undefined) workspaces.forgetAll();
    parts.waits?.wake(key);
  });
  const service: Service = {
    ...parts,
    capabilities,
    workspaces,
    kinds,
    seed,
    operations: parts.operations.map((row) => withOffer(row, meter.rates.has(row.operationId))),
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
