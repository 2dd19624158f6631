import { html } from 'lit-html';
import { describeOutage } from '../../_scripts/outage.ts';
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
  async import() {
    const { viewImport, loadImport } = await import('../import/import-page.ts');
    return { view: viewImport, load: loadImport };
  },
  async settings() {
    const { viewSettings } = await import('../settings/settings.ts');
    return { view: viewSettings, load: async () => {} };
  },
};

/** Runs a function while the page rests. Safari has no `requestIdleCallback`. */
const requestIdle = (run: () => unknown) =>
  'requestIdleCallback' in globalThis ? requestIdleCallback(run) : setTimeout(run, 200);

const findName = (): ViewName => (isBoard(state.route) ? 'board' : state.route.view);

async function loadViewCode(name: ViewName): Promise<void> {
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

/** What is loaded while the page rests. */
const codeToLoad: (() => Promise<unknown>)[] = [
  ...Object.values(imports),
  () => import('../today/need-actions.ts'),
];

async function loadNextCode(): Promise<void> {
  const next = codeToLoad.shift();
  if (!next) return;
  // What fails is loaded when it is opened.
  await next().catch(() => {});
  requestIdle(loadNextCode);
}

/** Loads the code of all views and dialogs while the page rests, so that the desk opens them without a network too. */
export function loadAllCode(): void {
  if (codeToLoad.length > 0) requestIdle(loadNextCode);
}

/** Loads the code of what the address shows, and reads what it shows. Views that are left forget where they were. */
export async function loadView(): Promise<void> {
  await loadViewCode(findName());
  await Promise.all(Array.from(state.views.loaded.values(), ({ load }) => load()));
}

/** Draws what the address shows, or why its code could not be loaded. Draws nothing while it is loaded. */
export function viewOpenedView(close: Close): unknown {
  const { loaded, failed } = state.views;
  const name = findName();
  if (!failed.has(name)) return loaded.get(name)?.view(close) ?? '';
  return html`<p class="verdict is-offer" role="alert">${describeOutage()} This part of the workspace opens once it can be loaded.</p>
    <p class="actions"><button type="button" class="button quiet" @click=${loadView}>Retry</button></p>`;
}
