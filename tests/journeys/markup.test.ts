import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Element, parsePage, readBuilt } from '../support/markup.ts';

const markup = suite('the markup of each page as it is served');

/** Every page, but of the occupations, which one template makes, each tenth. */
const pages = readBuilt('.html')
  .filter(([path], index) => !/^\/occupations\/\d/.test(path) || index % 10 === 0)
  .map(([path, html]) => ({ path, page: parsePage(html) }));

/** Asserts that a rule finds no fault in any page. The rule returns the elements or words that are wrong. */
function holdEverywhere(findFaults: (page: Element) => string[]): void {
  assert.ok(pages.length > 100);
  const faults = pages.flatMap(({ path, page }) => findFaults(page).map((fault) => `${path}: ${fault}`));
  assert.is(faults.slice(0, 20).join('\n'), '');
}

const show = ({ name, attributes }: Element) => `<${name} ${JSON.stringify(attributes)}>`;
const isOf = (roles: readonly string[] | undefined, { attributes }: Element) =>
  roles?.includes(attributes.role ?? '') ?? false;

/** Attributes that hold ids of elements of the same page. */
const references = [
  ...['aria-activedescendant', 'aria-controls', 'aria-describedby', 'aria-details', 'aria-errormessage'],
  ...['aria-flowto', 'aria-labelledby', 'aria-owns', 'for', 'form', 'headers', 'list', 'popovertarget'],
];

/** The role that an element with this role has to be in (WAI-ARIA 1.2, Required Accessibility Parent Role). */
const parents: Record<string, readonly string[]> = {
  caption: ['figure', 'grid', 'table', 'treegrid'],
  cell: ['row'],
  columnheader: ['row'],
  gridcell: ['row'],
  listitem: ['list', 'directory'],
  menuitem: ['menu', 'menubar', 'group'],
  menuitemcheckbox: ['menu', 'menubar', 'group'],
  menuitemradio: ['menu', 'menubar', 'group'],
  option: ['listbox', 'group'],
  row: ['grid', 'rowgroup', 'table', 'treegrid'],
  rowgroup: ['grid', 'table', 'treegrid'],
  rowheader: ['row'],
  tab: ['tablist'],
  treeitem: ['tree', 'group'],
};

/** The roles of which an element with this role has to have one in it (WAI-ARIA 1.2, Allowed Child Roles). */
const children: Record<string, readonly string[]> = {
  feed: ['article'],
  grid: ['row', 'rowgroup'],
  list: ['listitem'],
  listbox: ['option'],
  menu: ['menuitem', 'menuitemcheckbox', 'menuitemradio'],
  menubar: ['menuitem', 'menuitemcheckbox', 'menuitemradio'],
  radiogroup: ['radio'],
  row: ['cell', 'columnheader', 'gridcell', 'rowheader'],
  rowgroup: ['row'],
  table: ['row', 'rowgroup'],
  tablist: ['tab'],
  tree: ['treeitem'],
  treegrid: ['row', 'rowgroup'],
};

markup('has each id once, and each element that another one names by its id', () => {
  holdEverywhere(({ descendants }) => {
    const ids = descendants.flatMap(({ attributes: { id } }) => (id === undefined ? [] : [id]));
    const twice = ids.filter((id, place) => ids.indexOf(id) !== place).map((id) => `twice: ${id}`);
    const known = new Set(ids);
    const missing = descendants.flatMap((element) =>
      references
        .flatMap((name) => element.attributes[name]?.split(' ') ?? [])
        .filter((id) => !known.has(id))
        .map((id) => `no ${id}, named by ${show(element)}`),
    );
    return [...twice, ...missing];
  });
});

markup('has each role in the role that it belongs to, and with the roles that belong in it', () => {
  holdEverywhere(({ descendants }) =>
    descendants
      .filter((element) => {
        const role = element.attributes.role ?? '';
        const needsParent = parents[role] && !element.ancestors.some((one) => isOf(parents[role], one));
        const needsChild = children[role] && !element.descendants.some((one) => isOf(children[role], one));
        return needsParent || needsChild;
      })
      .map(show),
  );
});

markup('has a panel for each tab and a tab for each panel, and one tab of a list is selected', () => {
  holdEverywhere(({ descendants }) => {
    const findById = (id: string | undefined) =>
      descendants.find(({ attributes }) => id !== undefined && attributes.id === id);
    const isPair = (tab: Element | undefined, panel: Element | undefined) =>
      tab?.attributes.role === 'tab' &&
      panel?.attributes.role === 'tabpanel' &&
      tab.attributes['aria-controls'] === panel.attributes.id &&
      panel.attributes['aria-labelledby'] === tab.attributes.id;
    const isWrong: Record<string, (element: Element) => boolean> = {
      tab: (tab) => !isPair(tab, findById(tab.attributes['aria-controls'])),
      tabpanel: (panel) => !isPair(findById(panel.attributes['aria-labelledby']), panel),
      tablist: (list) =>
        list.descendants.filter(({ attributes }) => attributes['aria-selected'] === 'true').length !== 1,
    };
    return descendants.filter((element) => isWrong[element.attributes.role ?? '']?.(element)).map(show);
  });
});

markup('hides no text from a reader without scripts, unless the page says what needs one', () => {
  holdEverywhere(({ descendants }) => {
    const says = descendants.some(({ name, text }) => name === 'noscript' && text !== '');
    const isHidden = ({ attributes, text }: Element) =>
      'hidden' in attributes && (attributes.role === 'tabpanel' || (text !== '' && !says));
    return descendants.filter(isHidden).map(show);
  });
});

markup('has a name in each header of a table', () => {
  holdEverywhere(({ descendants }) => {
    const isEmpty = ({ name, text, attributes }: Element) =>
      name === 'th' && text === '' && !attributes['aria-label'];
    return descendants
      .filter(isEmpty)
      .map(({ ancestors }) => `an empty header in ${ancestors.find(({ name }) => name === 'table')?.text}`);
  });
});

markup('has a name in each header of a table of its Markdown', () => {
  const faults = readBuilt('.md').flatMap(([path, text]) =>
    [...text.matchAll(/^\|(.*)\|\n\|[-:| ]+\|$/gm)]
      .filter(([, header]) => header!.split('|').some((cell) => cell.trim() === ''))
      .map(([table]) => `${path}: ${table}`),
  );
  assert.is(faults.join('\n'), '');
});

markup.run();
