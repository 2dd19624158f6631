import type { KindFacts } from './model.ts';
import { formatHash, parseRoute } from './route.ts';
import { createWorkspaceState, type DeskState, state } from './state.ts';

/** Sets the function that draws the page whenever its state changes. */
export function onUpdate(draw: () => void): void {
  state.hooks.draw = draw;
  draw();
}

/** Changes the state and draws the page. */
export function updateState(change: Partial<DeskState>): void {
  Object.assign(state, change);
  state.hooks.draw();
}

/** Updates the state to what the address names. */
export function followAddress(): void {
  const route = parseRoute(location.hash);
  Object.assign(state.reading.latest, { plan: undefined, record: undefined, fits: undefined });
  const lastList = route.view === 'list' ? route : state.lastList;
  const room = { open: new Set<string>(), compared: [] };
  updateState({
    route,
    lastList,
    room,
    plan: undefined,
    record: undefined,
    fits: undefined,
    reviewed: undefined,
  });
}

/** Forgets the workspace and everything that was read from it, and stops the work for it. */
export function forget(): void {
  Object.assign(state.reading, { seen: '', latest: {} });
  state.earn.solver?.terminate();
  updateState(createWorkspaceState());
}

/** Has the address ask for another list. */
export const showList = (kind: KindFacts, query: Record<string, string> = {}) => {
  location.hash = formatHash(kind, query);
};

/** Changes the query of the list in the address. Shows the first page unless the query names a cursor. */
export const changeList = (query: Record<string, string>) =>
  showList(state.route.kind, { ...state.route.query, cursor: '', ...query });
