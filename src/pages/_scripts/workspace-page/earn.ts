import { el } from '../dom.ts';
import { toCount } from '../numbers.ts';
import type { SolverQuestion, SolverWord } from '../solver.ts';
import { type Refused, read, write } from './ask.ts';
import { current, facts, onWorkspace, place, refresh } from './desk.ts';
import { button, redraw } from './dialog.ts';
import { say } from './say.ts';

interface Challenge extends SolverQuestion {
  algorithm: string;
  expiresAt: string;
  signature: string;
}

let solver: Worker | undefined;

function stop(): void {
  solver?.terminate();
  solver = undefined;
}

/** Finds the nonce in a thread of its own; tells how many were tried. Never resolves once it is stopped. */
function solve({ salt, bits }: Challenge, tell: (tried: number) => void): Promise<string> {
  stop();
  const worker = new Worker(new URL('../solver.ts', import.meta.url), { type: 'module' });
  solver = worker;
  return new Promise((resolve, reject) => {
    worker.addEventListener('error', () => reject(new Error('The work could not be begun in this browser.')));
    worker.addEventListener('message', ({ data: { tried, nonce } }: MessageEvent<SolverWord>) => {
      tell(tried);
      if (nonce === undefined) return;
      stop();
      resolve(nonce);
    });
    worker.postMessage({ salt, bits } satisfies SolverQuestion);
  });
}

/** What a refusal means to a person. */
function toWords(error: unknown): string {
  const { code, status } = error as Refused;
  if (code === 'not_live' || status === 404) return 'This cannot be earned here: it needs the live service.';
  if (code === 'at_limit') return 'This workspace has earned all that it can for now.';
  return (error as Error).message;
}

function drawStart(words = ''): void {
  const { hours, records, included } = facts.credit;
  redraw(
    place('earn'),
    el(
      'p',
      {},
      `Let this computer work for a moment: it looks for a number that is hard to find and easy to check. For it the workspace is kept ${hours} hours longer, may hold ${records} more records, and has ${included} more creates of each kind included this month. It costs nothing but a little electricity.`,
    ),
    el('p', { class: 'actions' }, button('Earn a day', earn, '', 'earn')),
    words ? el('p', { class: 'note', role: 'status' }, words) : '',
  );
}

async function earn(): Promise<void> {
  try {
    const { body } = await read('/work');
    const challenge = body.challenge as Challenge;
    const expected = 2 ** challenge.bits;
    const bar = el('progress', { max: 100, value: 0, 'aria-label': 'Likely to be found by now' });
    const words = el('p', { class: 'note' }, 'Beginning …');
    const leave = () => {
      stop();
      drawStart('Stopped. Nothing was earned, and nothing is lost.');
    };
    redraw(place('earn'), bar, words, el('p', { class: 'actions' }, button('Stop', leave, 'quiet', 'earn')));
    place('earn').querySelector('button')?.focus({ preventScroll: true });
    const nonce = await solve(challenge, (tried) => {
      bar.value = 100 * (1 - Math.exp(-tried / expected));
      words.textContent = `${toCount(tried)} tried; about ${toCount(expected)} are needed, sometimes more.`;
    });
    words.textContent = 'Found. Handing it in …';
    const { body: earned } = await write('POST', '/work', { challenge, nonce });
    await refresh();
    drawStart(`Earned: ${toCount(earned.credits)} ${earned.credits === 1 ? 'day' : 'days'} in all.`);
    say('A day is earned.');
  } catch (error) {
    stop();
    drawStart(toWords(error));
  }
}

/** Work in exchange for time, where the service says that it is offered. */
export function attachEarn(): void {
  onWorkspace(({ rung }) => {
    const isOffered = rung !== undefined && rung !== 'claimed';
    place('earn-part').hidden = !isOffered;
    if (isOffered && !solver && place('earn').childElementCount === 0) drawStart();
  });
}

/** Ends what is going on: the workspace was left. */
export function leaveWork(): void {
  stop();
  if (!current()) place('earn').replaceChildren();
}
