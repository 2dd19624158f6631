import type { ApiAnswer } from './api-client.ts';
import { el, need, showFacts } from './dom.ts';
import { toAmount, toMoment, toWords } from './format.ts';
import { keepSession, keepWanted } from './owner-session.ts';
import { makePasskey, showPasskey } from './passkey.ts';
import { openTokenPage } from './token-page.ts';

const root = need<HTMLElement>(document, '[data-claim]');
const content = need<HTMLElement>(root, '[data-content]');
const code = need<HTMLElement>(root, '[data-code]');
const facts = need<HTMLElement>(root, '[data-said]');

/** What a passkey is asked for by. */
let options: { create: Parameters<typeof makePasskey>[0]; get: Parameters<typeof showPasskey>[0] };

const page = openTokenPage({
  root,
  path: '/claim',
  header: 'X-Claim',
  reading: 'Reading what is to be claimed …',
  missing: 'This page needs the whole link that your agent gave you: the part after the # is missing.',
  content,
  show,
});

function show({ status, body }: ApiAnswer): void {
  options = body.options;
  if (status === 200) showClaim(body.claim);
  else page.say(toRefusalWords(status, body), 'blocked');
}

function showClaim(claim: ApiAnswer['body']): void {
  const { userCode, expiresAt, createdAt, records } = claim;
  const counts = Object.entries(records as Record<string, number>).map(([collection, count]) =>
    toAmount(count, toWords(collection).replace(/s$/, '')),
  );
  code.textContent = userCode;
  showFacts(facts, [
    ['Contains', counts.join(', ')],
    ['Created', toMoment(createdAt)],
    ['Claim it by', toMoment(expiresAt)],
  ]);
  content.hidden = false;
  page.say('Compare the code, then claim it.');
}

/** What a refusal means to a person. */
function toRefusalWords(status: number, { code: why, reason }: ApiAnswer['body']): string {
  if (why === 'not_live' || status === 404)
    return reason ?? 'No workspace can be claimed here: that needs the live service.';
  if (why === 'unknown_claim' || status === 401)
    return 'This link is not known here: it was used, was replaced by a newer one, or its 15 minutes are over. Ask your agent for a new one.';
  if (why === 'already_claimed') return 'This workspace was claimed already.';
  if (why === 'wrong_passkey')
    return 'This passkey is not known here, or is not the one that was asked for. Nothing has changed.';
  return reason ?? `The service answered ${status}.`;
}

async function claim(how: string): Promise<HTMLElement | undefined> {
  page.say('Follow what your device asks …');
  const credential = await (how === 'new' ? makePasskey(options.create) : showPasskey(options.get));
  page.say('Claiming …');
  const { status, body } = await page.send({ credential });
  if (status !== 200) {
    page.say(toRefusalWords(status, body), 'blocked');
    content.hidden = status === 401 || body.code === 'already_claimed';
    return undefined;
  }
  keepSession(body.owner);
  if (body.workspace) keepWanted(body.workspace);
  page.forget();
  content.hidden = true;
  const link = el('a', { href: '/workspace.html' }, 'See what is in it');
  page.say('It is yours. Your agent can still work in it, by the id that it has. ', 'ok', link);
  return link;
}

for (const button of content.querySelectorAll('button'))
  button.addEventListener('click', () => page.attempt(() => claim(button.value)));
