import { el, need } from './dom.ts';
import { isLive } from './live.ts';
import { toAmount } from './numbers.ts';
import { keepSession, keepWanted, type OwnerSession } from './owner-session.ts';
import { makePasskey, showPasskey } from './passkey.ts';
import { takeToken } from './token.ts';

const root = need<HTMLElement>(document, '[data-claim]');
const verdict = need<HTMLElement>(root, '[data-verdict]');
const held = need<HTMLElement>(root, '[data-held]');
const code = need<HTMLElement>(root, '[data-code]');
const said = need<HTMLElement>(root, '[data-said]');
const again = need<HTMLButtonElement>(root, '[data-again]');
const buttons = [...held.querySelectorAll('button')];
const place = 'careers-claim';

interface Envelope {
  code?: string;
  reason?: string;
  claim?: { userCode: string; expiresAt: string; createdAt: string; records: Record<string, number> };
  options?: { create: Parameters<typeof makePasskey>[0]; get: Parameters<typeof showPasskey>[0] };
  owner?: OwnerSession;
  /** The handle of what was claimed. */
  workspace?: string;
}

let token = takeToken(place);
let options: Envelope['options'];

async function ask(method: 'GET' | 'POST', body?: object): Promise<{ status: number; body: Envelope }> {
  await isLive();
  const response = await fetch('/claim', {
    method,
    cache: 'no-store',
    headers: { 'X-Claim': token, ...(body && { 'Content-Type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: await response.json() };
}

function say(tone: 'ok' | 'blocked' | undefined, words: string, ...more: Node[]): void {
  verdict.className = tone ? `verdict is-${tone}` : 'verdict';
  verdict.replaceChildren(words, ...more);
}

const toMoment = (time: string) => `${time.slice(0, 10)} ${time.slice(11, 16)} UTC`;
/** `jobOrders` as `job order`. */
const toNoun = (collection: string) =>
  collection.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).replace(/s$/, '');

function showClaim({ userCode, expiresAt, createdAt, records }: Envelope['claim'] & object): void {
  code.textContent = userCode;
  const rows = [
    [
      'Holds',
      Object.entries(records)
        .map(([collection, count]) => toAmount(count, toNoun(collection)))
        .join(', '),
    ],
    ['Made', toMoment(createdAt)],
    ['Claim it by', toMoment(expiresAt)],
  ] as const;
  said.replaceChildren(
    ...rows.map(([name, value]) => el('div', {}, el('dt', {}, name), el('dd', {}, value))),
  );
  held.hidden = false;
  say(undefined, 'Compare the code, then claim it.');
}

/** What a refusal means to a person. */
function toWords(status: number, { code: why, reason }: Envelope): string {
  if (why === 'not_live' || status === 404)
    return reason ?? 'No workspace can be claimed here: that needs the live service.';
  if (why === 'unknown_claim' || status === 401)
    return 'This link is not known here: it was used, was replaced by a newer one, or its 15 minutes are over. Ask your agent for a new one.';
  if (why === 'already_claimed') return 'This workspace was claimed already.';
  if (why === 'wrong_passkey')
    return 'This passkey is not known here, or is not the one that was asked for. Nothing has changed.';
  return reason ?? `The service answered ${status}.`;
}

function showClaimed({ owner, workspace }: Envelope): void {
  keepSession(owner);
  if (workspace) keepWanted(workspace);
  sessionStorage.removeItem(place);
  held.hidden = true;
  const link = el('a', { href: '/workspace.html' }, 'See what is in it');
  say('ok', 'It is yours. Your agent goes on working in it, by the id that it has. ', link);
  link.focus();
}

async function attempt(run: () => Promise<void>): Promise<void> {
  again.hidden = true;
  for (const button of buttons) button.disabled = true;
  try {
    await run();
  } catch (error) {
    const isAway = error instanceof TypeError;
    say(
      'blocked',
      isAway ? 'The service could not be reached. Nothing has changed.' : (error as Error).message,
    );
    again.hidden = !held.hidden;
  }
  for (const button of buttons) button.disabled = false;
}

async function read(): Promise<void> {
  held.hidden = true;
  if (token === '') {
    return say(
      'blocked',
      'This page needs the whole link that your agent gave you: what stands after the # is missing.',
    );
  }
  say(undefined, 'Reading what is to be claimed …');
  const { status, body } = await ask('GET');
  options = body.options;
  if (status === 200) showClaim(body.claim!);
  else say('blocked', toWords(status, body));
}

async function claim(how: string): Promise<void> {
  say(undefined, 'Follow what your device asks …');
  const credential = await (how === 'new' ? makePasskey(options!.create) : showPasskey(options!.get));
  say(undefined, 'Claiming …');
  const { status, body } = await ask('POST', { credential });
  if (status === 200) return showClaimed(body);
  say('blocked', toWords(status, body));
  if (status === 401 || body.code === 'already_claimed') held.hidden = true;
}

for (const button of buttons) button.addEventListener('click', () => attempt(() => claim(button.value)));
again.addEventListener('click', () => attempt(read));
addEventListener('hashchange', () => {
  token = takeToken(place);
  attempt(read);
});
attempt(read);
