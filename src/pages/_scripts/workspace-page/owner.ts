import { el } from '../dom.ts';
import { toAmount } from '../numbers.ts';
import { keepSession, type OwnerSession, recallSession, takeWanted } from '../owner-session.ts';
import { showPasskey } from '../passkey.ts';
import { type Access, setAccess } from './access.ts';
import { Refused, read, write } from './ask.ts';
import { facts, place } from './desk.ts';
import { button } from './dialog.ts';
import type { WorkspaceFacts } from './facts.ts';
import { tellGate } from './gate.ts';
import { toMoment } from './glance.ts';

type Open = (access: Access) => Promise<void>;
type Owned = WorkspaceFacts & { handle: string };

/** Reads the workspaces of a session; none where there are none. Throws Refused where the session is over. */
async function readOwned({ bearer }: OwnerSession): Promise<Owned[]> {
  setAccess({ bearer });
  try {
    return (await read('/owner/workspaces')).body.workspaces ?? [];
  } finally {
    setAccess(undefined);
  }
}

function drawOwned(
  { bearer }: OwnerSession,
  { handle, records, expiresAt, createdAt }: Owned,
  open: Open,
): HTMLElement {
  const held = facts.kinds.map(({ collection, noun, plural }) =>
    toAmount(records[collection] ?? 0, noun, plural),
  );
  return el(
    'li',
    {},
    el(
      'p',
      { class: 'record-name' },
      `Made ${toMoment(createdAt)}`,
      ' ',
      el('span', { class: 'code-text' }, handle),
    ),
    el('p', { class: 'note' }, `${held.join(', ')}. Kept until ${toMoment(expiresAt)}.`),
    el(
      'p',
      { class: 'actions' },
      button('Open', () => open({ bearer, handle }).catch((error: Error) => tellGate(error.message))),
    ),
  );
}

/** Who is signed in sees their workspaces, who is not the button to sign in. */
export async function showOwned(open: Open): Promise<void> {
  const list = place('owned');
  const session = recallSession();
  if (!session) {
    const signing = button('Sign in with a passkey', () => signIn(open), 'quiet', 'sign-in');
    list.replaceChildren(
      el('p', { class: 'note' }, 'Do you hold one by a passkey?'),
      el('p', { class: 'actions' }, signing),
    );
    return;
  }
  try {
    const owned = await readOwned(session);
    const wanted = takeWanted();
    const one = owned.find(({ handle }) => handle === wanted);
    if (one) return await open({ bearer: session.bearer, handle: one.handle });
    const leave = button('Sign out', () => {
      keepSession(undefined);
      showOwned(open);
    });
    list.replaceChildren(
      el('h3', {}, 'Yours'),
      owned.length > 0
        ? el('ul', { class: 'plain records' }, ...owned.map((one) => drawOwned(session, one, open)))
        : el('p', {}, 'You hold no workspace: those that you did were erased, or have expired.'),
      el('p', { class: 'actions' }, leave),
    );
  } catch (error) {
    if (error instanceof Refused && error.status === 401) {
      keepSession(undefined);
      return showOwned(open);
    }
    tellGate((error as Error).message);
  }
}

/** Lets the person in for an hour by their passkey. */
async function signIn(open: Open): Promise<void> {
  tellGate('');
  try {
    const { body } = await read('/owner/challenge');
    const credential = await showPasskey(body.options);
    const { body: entered } = await write('POST', '/owner/session', { credential });
    keepSession(entered.owner);
    await showOwned(open);
  } catch (error) {
    const { code, status } = error as Refused;
    if (code === 'wrong_passkey') tellGate('This passkey holds no workspace here.');
    else if (code !== 'not_live' && status === 404)
      tellGate('Nobody can sign in here: that needs the live service.');
    else tellGate((error as Error).message);
  }
}
