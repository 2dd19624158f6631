import { html } from 'lit-html';
import type { Close } from '../state/model.ts';
import { isBoard } from '../state/route.ts';
import { type DeskView, state, type ViewName } from '../state/state.ts';
import { updateState } from '../state/update.ts';

/** The code of each view. It is loaded when the view is first shown, because a person seldom opens all of them. */
const imports: Record<ViewName, () => Promise<DeskView>> = {
  async today() {
    const [today, activity] = await Promise.all([
      import('../today/today.ts'),
      import('../activity/activity.ts'),
    ]);
    return { view: today.viewToday, load: () => Promise.all([today.loadNeeds(), activity.loadActivity()]) };
  },
  async list() {
    const { viewRecords, loadList } = await import('../lists/list.ts');
    return { view: viewRecords, load: loadList };
  },
  async board() {
    const { viewBoard, loadBoard } = await import('../board/board.ts');
    return { view: viewBoard, load: loadBoard };
  },
  async record() {
    const { viewRecord, loadRecord } = await import('../record/record.ts');
    return { view: viewRecord, load: loadRecord };
  },
  async plan() {
    const [{ viewPlan }, { loadPlan }] = await Promise.all([
      import('../plan/plan-view.ts'),
      import('../plan/plan.ts'),
    ]);
    return { view: viewPlan, load: loadPlan };
  },
  async settings() {
    const { viewSettings } = await import('../settings/settings.ts');
    return { view: viewSettings, load: async () => {} };
  },
};

const findName = (): ViewName => (isBoard(state.route) ? 'board' : state.route.view);

async function loadCode(name: ViewName): Promise<void> {
  const { loaded, failed } = state.views;
  if (loaded.has(name)) return;
  try {
    loaded.set(name, await imports[name]());
    failed.delete(name);
  } catch {
    failed.add(name);
  }
  updateState({});
}

/** Loads the code of what the address shows, and reads what it shows. Views that are left forget where they were. */
export async function loadView(): Promise<void> {
  await loadCode(findName());
  await Promise.all(Array.from(state.views.loaded.values(), ({ load }) => load()));
}

/** Draws what the address shows, or why its code could not be loaded. Draws nothing while it is loaded. */
export function viewOpenedView(close: Close): unknown {
  const { loaded, failed } = state.views;
  const name = findName();
  if (!failed.has(name)) return loaded.get(name)?.view(close) ?? '';
  return html`<p class="verdict is-blocked" role="alert">This part of the page could not be loaded.</p>
    <p class="actions"><button type="button" class="button quiet" @click=${loadView}>Retry</button></p>`;
}
