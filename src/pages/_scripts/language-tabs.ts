import { el, need } from './dom.ts';
import { moveByKey } from './tabs.ts';

/** The blocks of one example, by the names of their tabs. */
interface TabSet {
  tabs: Map<string, HTMLButtonElement>;
  panels: Map<string, HTMLElement>;
}

const sets: TabSet[] = [];

/** Shows the block of a name in each example that has it, so that a reader chooses a language once. */
function choose(name: string): void {
  for (const { tabs, panels } of sets) {
    if (!tabs.has(name)) continue;
    for (const [other, tab] of tabs) {
      tab.setAttribute('aria-selected', String(other === name));
      tab.tabIndex = other === name ? 0 : -1;
      panels.get(other)!.hidden = other !== name;
    }
  }
}

/** Turns the blocks of an example into tabs. */
function attachLanguages(box: HTMLElement, index: number): void {
  const set: TabSet = { tabs: new Map(), panels: new Map() };
  const list = el('div', { role: 'tablist', 'aria-label': 'Language of the example' });
  for (const panel of box.querySelectorAll<HTMLElement>(':scope > .copyable')) {
    const name = need(panel, '.code-bar > span').textContent!;
    const id = `tab-${index}-${name.toLowerCase()}`;
    const tab = el('button', { type: 'button', role: 'tab', id, 'aria-controls': `${id}-panel` }, name);
    tab.addEventListener('click', () => choose(name));
    panel.id = `${id}-panel`;
    panel.setAttribute('role', 'tabpanel');
    panel.setAttribute('aria-labelledby', id);
    set.tabs.set(name, tab);
    set.panels.set(name, panel);
    list.append(tab);
  }
  moveByKey([...set.tabs.values()]);
  box.prepend(list);
  sets.push(set);
}

for (const [index, box] of document.querySelectorAll<HTMLElement>('[data-languages]').entries())
  attachLanguages(box, index);
choose('curl');
