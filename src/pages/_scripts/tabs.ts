/**
 * Makes a list of tabs work: a click or an arrow key shows the panel of another tab (WAI-ARIA Authoring Practices, Tabs).
 * Tab moves the focus from the chosen tab into its panel.
 */
function attachTabs(root: HTMLElement): void {
  const tabs = [...root.querySelectorAll<HTMLElement>('[role=tab]')];
  const panels = [...root.querySelectorAll<HTMLElement>('[data-tab]')];
  const choose = (chosen: HTMLElement) => {
    for (const tab of tabs) {
      tab.ariaSelected = String(tab === chosen);
      tab.tabIndex = tab === chosen ? 0 : -1;
    }
    for (const panel of panels) panel.hidden = panel.dataset.tab !== chosen.id;
  };
  const moves: Record<string, (at: number) => number> = {
    ArrowRight: (at) => (at + 1) % tabs.length,
    ArrowLeft: (at) => (at + tabs.length - 1) % tabs.length,
    Home: () => 0,
    End: () => tabs.length - 1,
  };
  for (const panel of panels) {
    panel.role = 'tabpanel';
    panel.setAttribute('aria-labelledby', panel.dataset.tab!);
  }
  for (const [at, tab] of tabs.entries()) {
    tab.addEventListener('click', () => choose(tab));
    tab.addEventListener('keydown', (event) => {
      const next = tabs[moves[event.key]?.(at) ?? -1];
      if (!next) return;
      event.preventDefault();
      choose(next);
      next.focus();
    });
  }
  choose(tabs[0]!);
  root.dataset.ready = '';
}

for (const root of document.querySelectorAll<HTMLElement>('[data-tabs]')) attachTabs(root);
