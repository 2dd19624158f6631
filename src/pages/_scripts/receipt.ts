import { extractReceipt, type ReceiptVerdict, readReceipt } from '../../placements/read-receipt.ts';
import { drawCertificate } from './certificate.ts';
import { copyButton, need } from './dom.ts';
import { saveFile } from './save-file.ts';

const form = need<HTMLFormElement>(document, '[data-receipt]');
const text = need<HTMLTextAreaElement>(form, 'textarea');
const file = need<HTMLInputElement>(form, '[type=file]');
const status = need<HTMLElement>(form, '[data-status]');
/** Why a receipt has no certificate, by verdict. One of them is shown at most. */
const results = form.querySelectorAll<HTMLElement>('[data-result]');
/** The form and what is said of receipts in general, which a certificate replaces. */
const formParts = document.querySelectorAll<HTMLElement>('[data-ask]');
/** The certificate and what can be done with it. */
const certificatePart = need<HTMLElement>(document, '[data-certified]');
const keysNote = need<HTMLElement>(document, '[data-keys]');
const keysPath = keysNote.dataset.keys!;
/** The most bytes of a file, and the most characters of a link, that are read. */
const mostBytes = 65_536;

const initialStatus = status.textContent!;

/** The keys, after they were read. From then on the page sends no requests. */
let keys: unknown;
/** The number of the latest check. Results of earlier checks are not shown. */
let lastCheck = 0;
/** The read of the keys that is under way or has succeeded. */
let keysRead: Promise<void> | undefined;

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
        : `${count === 1 ? 'One key is' : `${count} keys are`} published here. As long as this page stays open, it needs no network.`;
    keys = set;
  } catch (error) {
    keysNote.textContent = `The published keys could not be read: ${(error as Error).message}.`;
    keysRead = undefined;
  }
}

/** Shows the form or the certificate. */
function show(part: 'form' | 'certificate'): void {
  for (const formPart of formParts) formPart.hidden = part !== 'form';
  certificatePart.hidden = part !== 'certificate';
}

/** Shows the form with a status instead of a result. */
function showStatus(words: string): void {
  status.textContent = words;
  for (const result of results) result.hidden = true;
  show('form');
}

/** Shows why a receipt has no certificate, and moves the focus there. */
function showReason(verdict: ReceiptVerdict, reason: string): void {
  showStatus('');
  const result = need<HTMLElement>(form, `[data-result=${verdict}]`);
  need(result, '[data-why]').textContent = reason;
  result.hidden = false;
  result.focus();
}

async function check(): Promise<void> {
  lastCheck += 1;
  const thisCheck = lastCheck;
  const receipt = extractReceipt(text.value);
  if (receipt === '') {
    showStatus('Paste a receipt first.');
    return text.focus();
  }
  showStatus('Checking …');
  keysRead ??= readKeys();
  await keysRead;
  if (thisCheck !== lastCheck) return;
  if (keys === undefined) return showReason('unchecked', 'The published keys could not be read. Try again.');
  const checkedAt = Date.now();
  const read = await readReceipt(receipt, keys, { issuer: location.origin, now: checkedAt });
  if (thisCheck !== lastCheck) return;
  if (!read.holds) return showReason(read.verdict, read.reason);
  const keysUrl = new URL(keysPath, location.origin).href;
  drawCertificate(certificatePart, { ...read, text: receipt, keysUrl, checkedAt });
  show('certificate');
  need<HTMLElement>(certificatePart, '.certificate').focus();
}

async function readFile(chosen: File): Promise<void> {
  lastCheck += 1;
  const thisCheck = lastCheck;
  if (chosen.size > mostBytes) return showReason('malformed', 'This file is too large for a receipt.');
  const content = await chosen.text();
  if (thisCheck !== lastCheck) return;
  text.value = content.trim();
  await check();
}

form.addEventListener('submit', (event) => {
  event.preventDefault();
  check();
});
text.addEventListener('input', () => {
  lastCheck += 1;
  showStatus(initialStatus);
});
file.addEventListener('change', () => {
  const chosen = file.files?.[0];
  // An empty value lets the person choose the same file again after it was changed.
  if (chosen) readFile(chosen).finally(() => (file.value = ''));
});
form.addEventListener('dragover', (event) => event.preventDefault());
form.addEventListener('drop', (event) => {
  const dropped = event.dataTransfer?.files[0];
  if (!dropped) return;
  event.preventDefault();
  readFile(dropped);
});

const formatLink = () => `${location.origin}${location.pathname}#${extractReceipt(text.value)}`;

/** If the browser refuses to copy, the address of the page becomes the link. */
function showLink(button: HTMLButtonElement): void {
  history.replaceState(null, '', formatLink());
  button.textContent = 'The link is in the address bar';
}

const printButton = need(certificatePart, '[data-print]');
printButton.after(copyButton('Copy a link to it', 'button quiet', formatLink, showLink));
printButton.addEventListener('click', () => print());
need(certificatePart, '[data-save]').addEventListener('click', () =>
  saveFile('receipt.jws', extractReceipt(text.value), 'application/jose'),
);
need(certificatePart, '[data-another]').addEventListener('click', () => {
  text.value = '';
  showStatus(initialStatus);
  text.focus();
});

/** Checks a receipt in the address at once. The workspace page links here with one. */
function checkAddress(): void {
  const receipt = location.hash.slice(1);
  if (receipt === '') return;
  history.replaceState(null, '', location.pathname);
  if (receipt.length > mostBytes) {
    lastCheck += 1;
    showReason('malformed', 'This link is too long for a receipt.');
    return;
  }
  text.value = receipt;
  check();
}

addEventListener('hashchange', checkAddress);
checkAddress();
keysRead ??= readKeys();
