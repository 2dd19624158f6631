import type { ApiAnswer } from './api-client.ts';
import { el, need, showFacts, timeOf } from './dom.ts';
import { formatAmount, splitWords } from './format.ts';
import { keepSession, keepWanted } from './owner-session.ts';
import { makePasskey, showPasskey } from './passkey.ts';
import { openTokenPage } from './token-page.ts';

/** The options for creating a passkey and for using one. */
let options: { create: Parameters<typeof makePasskey>[0]; get: Parameters<typeof showPasskey>[0] };

const page = openTokenPage({
  path: '/claim',
  header: 'X-Claim',
  refusals: {
    404: 'No workspace can be claimed here: that needs the live service.',
    401: 'This link is not known here: it was used, was replaced by a newer one, or its 15 minutes are over. Ask your agent for a new one.',
    already_claimed: 'This workspace was claimed already.',
    wrong_passkey:
      'This passkey is not known here, or is not the one that was asked for. Nothing has changed.',
  },
  show({ status, body }) {
    options = body.options;
    if (status === 200) showClaim(body.claim);
    else page.sayRefusal(status, body);
  },
});

function showClaim({ userCode, expiresAt, createdAt, records }: ApiAnswer['body']): void {
  const counts = Object.entries(records as Record<string, number>).map(([collection, count]) =>
    formatAmount(count, splitWords(collection).replace(/s$/, '')),
  );
  need(page.content, '[data-code]').textContent = userCode;
  showFacts(page.facts, [
    ['Contains', counts.join(', ')],
    ['Created', timeOf(createdAt)],
    ['Claim it by', timeOf(expiresAt)],
  ]);
  page.content.hidden = false;
  page.say('Compare the code, then claim it.');
}

async function claim(how: string): Promise<HTMLElement | undefined> {
  page.say('Follow what your device asks …');
  const credential = await (how === 'new' ? makePasskey(options.create) : showPasskey(options.get));
  page.say('Claiming …');
  const { status, body } = await page.send({ credential });
  page.content.hidden = status === 200 || status === 401 || body.code === 'already_claimed';
  if (status !== 200) {
    page.sayRefusal(status, body);
    return undefined;
  }
  keepSession(body.owner);
  if (body.workspace) keepWanted(body.workspace);
  page.forget();
  const link = el('a', { href: '/workspace.html' }, 'See what is in it');
  page.say('It is yours. Your agent can still work in it, by the id that it has. ', 'ok', link);
  return link;
}

for (const button of page.content.querySelectorAll('button'))
  button.addEventListener('click', () => page.attempt(() => claim(button.value)));
