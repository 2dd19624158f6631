import { recallSession } from '../owner-session.ts';
import { rememberWorkspace, watchWorkspace } from '../workspace.ts';
import { type Access, access, isOwner, leave, setAccess } from './access.ts';
import { forgetAnswers, type Refused } from './ask.ts';
import { current, forgetDesk, kindOfId, place, refresh, root } from './desk.ts';
import { attachDue } from './due.ts';
import { attachEarn, leaveWork } from './earn.ts';
import { attachGate, clearAddress, tellGate, toGateWords } from './gate.ts';
import { attachGlance } from './glance.ts';
import { attachKeep } from './keep.ts';
import { attachList } from './list.ts';
import { attachMeter } from './meter.ts';
import { showOwned } from './owner.ts';
import { attachPolling } from './polling.ts';
import { attachRecord } from './record.ts';
import { attachYours } from './yours.ts';

function showDesk(isOpen: boolean): void {
  place('gate').hidden = isOpen;
  place('open').hidden = !isOpen;
  root.dataset.state = isOpen ? 'open' : 'closed';
}

/** Opens a workspace; an id is remembered, as the console does. Throws Refused where it is not known. */
async function open(next: Access): Promise<void> {
  forgetAnswers();
  setAccess(next);
  try {
    await refresh();
  } catch (error) {
    setAccess(undefined);
    throw error;
  }
  if ('id' in next) await rememberWorkspace(next.id, current()!.expiresAt);
  tellGate('');
  showDesk(true);
}

/** Closes the workspace and forgets its id; says why. */
async function close(words: string, tone: 'ok' | 'blocked' = 'ok'): Promise<void> {
  forgetDesk();
  forgetAnswers();
  leaveWork();
  await leave();
  if (kindOfId(location.hash.slice(1))) history.replaceState(null, '', location.pathname);
  document.querySelector<HTMLDialogElement>('dialog[open]')?.close();
  showDesk(false);
  showOwned(open);
  tellGate(words, tone);
  document.getElementById('gate-name')?.focus();
}

attachGlance();
attachDue();
attachList();
attachRecord();
attachMeter();
attachEarn();
attachKeep((words) => close(words));
attachYours();
attachGate((id) => open({ id }));
showOwned(open);
attachPolling((error: Refused) => close(toGateWords(error), 'blocked'));
place('close').addEventListener('click', () =>
  close(
    isOwner()
      ? ''
      : 'The workspace is closed here, and its id forgotten. It goes on living until its time is up.',
  ),
);
clearAddress();

let isFirst = true;
watchWorkspace(async (kept) => {
  // Who is signed in chooses among theirs.
  if (!isFirst || !kept || access() || recallSession()) return;
  isFirst = false;
  if (kept.gone) return;
  try {
    await open({ id: kept.id });
  } catch (error) {
    tellGate(toGateWords(error));
  }
});
