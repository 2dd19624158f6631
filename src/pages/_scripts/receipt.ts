import { extractReceipt, isWithoutKey, readReceipt } from '../../placements/read-receipt.ts';
import { drawCertificate } from './certificate.ts';
import { copyButton, need } from './dom.ts';

const form = need<HTMLFormElement>(document, '[data-receipt]');
const text = need<HTMLTextAreaElement>(form, 'textarea');
const file = need<HTMLInputElement>(form, '[type=file]');
const status = need<HTMLElement>(form, '[data-status]');
const refused = need<HTMLElement>(form, '[data-refused]');
const unchecked = need<HTMLElement>(form, '[data-unchecked]');
/** The form and what is said of receipts in general, which a certificate replaces. */
const asks = document.querySelectorAll<HTMLElement>('[data-ask]');
/** The certificate and what can be done with it. */
const certified = need<HTMLElement>(document, '[data-certified]');
const keysNote = need<HTMLElement>(document, '[data-keys]');
const keysPath = keysNote.dataset.keys!;
/** The most bytes of a file that is read. */
const mostBytes = 65_536;

const nothingYet = status.textContent!;

/** The keys, after they were read. From then on the page sends no requests. */
let keys: unknown;
/** The number of the latest check. Results of earlier checks are not shown. */
let last = 0;

let reading: Promise<void> | undefined;

/** Reads the keys. If that fails, the next check tries again. */
async function readKeys(): Promise<void> {
  try {
    const response = await fetch(keysPath, { cache: 'no-cache' });
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

/** Shows the form or the certificate. */
function show(part: 'form' | 'certificate'): void {
  for (const ask of asks) ask.hidden = part !== 'form';
  certified.hidden = part !== 'certificate';
}

/** Shows the form with a status instead of a result. */
function showStatus(words: string): void {
  status.textContent = words;
  refused.hidden = true;
  unchecked.hidden = true;
  show('form');
}

/** Shows why a receipt has no certificate, and moves the focus there. */
function showReason(place: HTMLElement, reason: string): void {
  showStatus('');
  need(place, '[data-why]').textContent = reason;
  place.hidden = false;
  place.focus();
}

async function check(): Promise<void> {
  last += 1;
  const mine = last;
  const given = extractReceipt(text.value);
  if (given === '') {
    showStatus('Paste a receipt first.');
    return text.focus();
  }
  showStatus('Checking …');
  reading ??= readKeys();
  await reading;
  if (mine !== last) return;
  if (keys === undefined) return showReason(unchecked, 'The published keys could not be read. Try again.');
  const checkedAt = Date.now();
  const read = await readReceipt(given, keys, { issuer: location.origin, now: checkedAt });
  if (mine !== last) return;
  if (!read.holds) return showReason(isWithoutKey(read.code) ? unchecked : refused, read.reason);
  const keysUrl = new URL(keysPath, location.origin).href;
  drawCertificate(certified, { ...read, text: given, keysUrl, checkedAt });
  show('certificate');
  need<HTMLElement>(certified, '.certificate').focus();
}

async function take(chosen: File): Promise<void> {
  last += 1;
  const mine = last;
  if (chosen.size > mostBytes) return showReason(refused, 'This file is too large for a receipt.');
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
  showStatus(nothingYet);
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

const toLink = () => `${location.origin}${location.pathname}#${extractReceipt(text.value)}`;
/** If the browser refuses to copy, the address of the page becomes the link. */
function showLink(button: HTMLButtonElement): void {
  history.replaceState(null, '', toLink());
  button.textContent = 'The link is in the address bar';
}
const printButton = need(certified, '[data-print]');
printButton.after(copyButton('Copy a link to it', 'button quiet', toLink, showLink));
printButton.addEventListener('click', () => print());
need(certified, '[data-another]').addEventListener('click', () => {
  text.value = '';
  showStatus(nothingYet);
  text.focus();
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
