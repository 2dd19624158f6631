const moves: Record<string, (at: number, count: number) => number> = {
  ArrowRight: (at, count) => (at + 1) % count,
  ArrowLeft: (at, count) => (at + count - 1) % count,
  Home: () => 0,
  End: (_, count) => count - 1,
};

/** Makes the arrow keys, Home and End choose another tab of a list, as a click does, and move the focus to it. */
export function moveByKey(tabs: readonly HTMLElement[]): void {
  for (const [at, tab] of tabs.entries())
    tab.addEventListener('keydown', (event) => {
      const next = tabs[moves[event.key]?.(at, tabs.length) ?? -1];
      if (!next) return;
      event.preventDefault();
      next.click();
      next.focus();
    });
}

/**
 * Makes a list of tabs work: a click or an arrow key shows the panel of another tab (WAI-ARIA Authoring Practices, Tabs).
 * Tab moves the focus from the chosen tab into its panel.
 */
function attachTabs(root: HTMLElement): void {
  const tabs = [...root.querySelectorAll<HTMLElement>('[role=tab]')];
  const panels = [...root.querySelectorAll<HTMLElement>('[role=tabpanel]')];
  const choose = (chosen: HTMLElement) => {
    for (const tab of tabs) {
      tab.ariaSelected = String(tab === chosen);
      tab.tabIndex = tab === chosen ? 0 : -1;
    }
    for (const panel of panels) panel.hidden = panel.id !== chosen.getAttribute('aria-controls');
  };
  for (const tab of tabs) tab.addEventListener('click', () => choose(tab));
  moveByKey(tabs);
  choose(tabs[0]!);
  root.dataset.ready = '';
}

for (const root of document.querySelectorAll<HTMLElement>('[data-tabs]')) attachTabs(root);
