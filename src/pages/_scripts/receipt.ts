import { describeReceipt, extractReceipt, readReceipt } from '../../placements/read-receipt.ts';
import { need, showFacts, showVerdict } from './dom.ts';

const form = need<HTMLFormElement>(document, '[data-receipt]');
const text = need<HTMLTextAreaElement>(form, 'textarea');
const file = need<HTMLInputElement>(form, '[type=file]');
const verdict = need<HTMLElement>(form, '[data-verdict]');
const said = need<HTMLElement>(form, '[data-said]');
const keysNote = need<HTMLElement>(document, '[data-keys]');
/** The most bytes of a file that is read. */
const mostBytes = 65_536;

/** The keys, after they were read. From then on the page sends no requests. */
let keys: unknown;
/** The number of the latest check. Results of earlier checks are not shown. */
let last = 0;

let reading: Promise<void> | undefined;

/** Reads the keys. If that fails, the next check tries again. */
async function readKeys(): Promise<void> {
  try {
    const response = await fetch(keysNote.dataset.keys!, { cache: 'no-cache' });
    if (!response.ok) throw new Error(`answered ${response.status}`);
    const set = (await response.json()) as { keys: unknown[] };
    const count = set.keys.length;
    keysNote.textContent =
      count === 0
        ? 'No key is published at this address, so nothing can be checked here.'
        : `${count === 1 ? 'One key is' : `${count} keys are`} published here. This page now works offline.`;
    keys = set;
  } catch (error) {
    keysNote.textContent = `The published keys could not be read: ${(error as Error).message}.`;
    reading = undefined;
  }
}

function show(tone: 'ok' | 'blocked' | undefined, words: string, rows: [string, string][] = []): void {
  showVerdict(verdict, tone, words);
  showFacts(said, rows);
}

async function check(): Promise<void> {
  last += 1;
  const mine = last;
  const given = extractReceipt(text.value);
  if (given === '') return show(undefined, 'Paste a receipt first.');
  show(undefined, 'Checking …');
  reading ??= readKeys();
  await reading;
  if (mine !== last) return;
  if (keys === undefined) return show('blocked', 'Not checked: the published keys could not be read.');
  const read = await readReceipt(given, keys, { issuer: location.origin, now: Date.now() });
  if (mine !== last) return;
  if (read.holds) show('ok', 'It holds. This is what it says:', describeReceipt(read.claims, read.kid));
  else show('blocked', `It does not hold. ${read.reason}`);
}

async function take(chosen: File): Promise<void> {
  last += 1;
  const mine = last;
  if (chosen.size > mostBytes)
    return show('blocked', 'It does not hold. This file is too large for a receipt.');
  const content = await chosen.text();
  if (mine !== last) return;
  text.value = content.trim();
  await check();
}

form.addEventListener('submit', (event) => {
  event.preventDefault();
  check();
});
text.addEventListener('input', () => {
  last += 1;
  show(undefined, 'Nothing checked yet.');
});
file.addEventListener('change', () => {
  const chosen = file.files?.[0];
  // An empty value lets the person choose the same file again after it was changed.
  if (chosen) take(chosen).finally(() => (file.value = ''));
});
form.addEventListener('dragover', (event) => event.preventDefault());
form.addEventListener('drop', (event) => {
  const dropped = event.dataTransfer?.files[0];
  if (!dropped) return;
  event.preventDefault();
  take(dropped);
});

/** Checks a receipt in the address at once. The workspace page links here with one. */
function takeAddress(): void {
  const given = location.hash.slice(1);
  if (given === '' || given.length > mostBytes) return;
  history.replaceState(null, '', location.pathname);
  text.value = given;
  check();
}

addEventListener('hashchange', takeAddress);
takeAddress();
reading ??= readKeys();
