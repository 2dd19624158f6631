import { html } from 'lit-html';
import type { Close } from '../state/model.ts';
import { isBoard } from '../state/route.ts';
import { state, updateState } from '../state/state.ts';

/** What the address can show: it is drawn, and reads what it shows. */
interface DeskView {
  view(close: Close): unknown;
  /** Reads what the view shows, if the address names it. */
  load(): Promise<unknown>;
}

/** The code of each view. It is loaded when the view is first shown, because a person seldom opens all of them. */
const imports = {
  async today(): Promise<DeskView> {
    const [today, activity] = await Promise.all([
      import('../today/today.ts'),
      import('../activity/activity.ts'),
    ]);
    return { view: today.viewToday, load: () => Promise.all([today.loadNeeds(), activity.loadActivity()]) };
  },
  async list(): Promise<DeskView> {
    const { viewRecords, loadList } = await import('../lists/list.ts');
    return { view: viewRecords, load: loadList };
  },
  async board(): Promise<DeskView> {
    const { viewBoard, loadBoard } = await import('../board/board.ts');
    return { view: viewBoard, load: loadBoard };
  },
  async record(): Promise<DeskView> {
    const { viewRecord, loadRecord } = await import('../record/record.ts');
    return { view: viewRecord, load: loadRecord };
  },
  async plan(): Promise<DeskView> {
    const [{ viewPlan }, { loadPlan }] = await Promise.all([
      import('../plan/plan-view.ts'),
      import('../plan/plan.ts'),
    ]);
    return { view: viewPlan, load: loadPlan };
  },
  async settings(): Promise<DeskView> {
    const { viewSettings } = await import('../settings/settings.ts');
    return { view: viewSettings, load: async () => {} };
  },
};

type ViewName = keyof typeof imports;

const loaded = new Map<ViewName, DeskView>();
/** Views whose code could not be loaded, for example because the device is offline. */
const failed = new Set<ViewName>();

const findName = (): ViewName => (isBoard(state.route) ? 'board' : state.route.view);

async function loadCode(name: ViewName): Promise<void> {
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
  await Promise.all(Array.from(loaded.values(), ({ load }) => load()));
}

/** Draws what the address shows, or why its code could not be loaded. Draws nothing while it is loaded. */
export function viewOpenedView(close: Close): unknown {
  const name = findName();
  if (!failed.has(name)) return loaded.get(name)?.view(close) ?? '';
  return html`<p class="verdict is-blocked" role="alert">This part of the page could not be loaded.</p>
    <p class="actions"><button type="button" class="button quiet" @click=${loadView}>Retry</button></p>`;
}
