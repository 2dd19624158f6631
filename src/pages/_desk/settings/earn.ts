import { html, type TemplateResult } from 'lit-html';
import type { ApiError } from '../../_scripts/api-client.ts';
import { formatAmount, formatCount, toSentenceCase } from '../../_scripts/format.ts';
import type { SolverProgress, SolverTask } from '../../_scripts/solver.ts';
import { button, viewPart } from '../common/parts.ts';
import { toast } from '../common/toast.ts';
import { read, sendWrite } from '../state/client.ts';
import { refresh } from '../state/load.ts';
import { facts } from '../state/page-facts.ts';
import { state } from '../state/state.ts';
import { updateState } from '../state/update.ts';

interface Challenge extends SolverTask {
  algorithm: string;
  expiresAt: string;
  signature: string;
}

const { hours, records, included } = facts.credit;

/** The time that one credit adds: `a day`. */
export const creditWords = hours === 24 ? 'a day' : `${hours} hours`;

/** Stops the work, if it is running. */
function stopWork(words = ''): void {
  state.earn.solver?.terminate();
  updateState({ earn: { words, done: undefined, solver: undefined } });
}

/** Finds the nonce in a worker thread, and reports how many were tried. Never settles after `stopWork`. */
function solve({ salt, bits }: Challenge, report: (tried: number) => void): Promise<string> {
  const worker = new Worker(new URL('../../_scripts/solver.ts', import.meta.url), { type: 'module' });
  state.earn.solver = worker;
  return new Promise((resolve, reject) => {
    worker.addEventListener('error', () => reject(new Error('This browser could not start the work.')));
    worker.addEventListener('message', ({ data: { tried, nonce } }: MessageEvent<SolverProgress>) => {
      if (nonce !== undefined) resolve(nonce);
      else report(tried);
    });
    worker.postMessage({ salt, bits } satisfies SolverTask);
  });
}

const showWork = (words: string, done: number) => updateState({ earn: { ...state.earn, words, done } });

/** Explains a refusal in words for a person. */
function explainRefusal({ code, status, message }: ApiError): string {
  if (code === 'not_live' || status === 404) return 'This cannot be earned here: it needs the live service.';
  return code === 'at_limit' ? 'This workspace has earned all that it can for now.' : message;
}

async function earn(): Promise<void> {
  try {
    showWork('Starting …', 0);
    const { body } = await read('/work');
    const challenge = body.challenge as Challenge;
    const expected = 2 ** challenge.bits;
    const nonce = await solve(challenge, (tried) => {
      const words = `${formatCount(tried)} tried; about ${formatCount(expected)} are expected, sometimes more.`;
      showWork(words, 1 - Math.exp(-tried / expected));
    });
    showWork('Found. Submitting it …', 1);
    const { body: earned } = await sendWrite('POST', '/work', { challenge, nonce });
    await refresh();
    stopWork(`Earned: ${formatAmount((earned.credits * hours) / 24, 'day')} in all.`);
    toast(`${toSentenceCase(creditWords)} is earned.`);
  } catch (error) {
    stopWork(explainRefusal(error as ApiError));
  }
}

/** Shows the part where the person earns time for work. */
export function viewEarn(): TemplateResult {
  const { words, done } = state.earn;
  const isWorking = done !== undefined;
  const stop = () => stopWork('Stopped. Nothing was earned, and nothing is lost.');
  return viewPart(
    'earn',
    'Earn time',
    html`${
      isWorking
        ? html`<progress max="1" .value=${done} aria-label="Likely to be found by now"></progress>`
        : html`<p>Let this computer work for a moment: it looks for a number that is hard to find and easy to check.
            In return the workspace is kept ${hours} hours longer, may hold ${records} more records, and has
            ${included} more creates of each kind included this month. It costs only a little electricity.</p>`
    }
    <p class="actions">${button(isWorking ? 'Stop' : `Earn ${creditWords}`, isWorking ? stop : earn, isWorking ? 'quiet' : '')}</p>
    <p class="note" role="status">${words}</p>`,
  );
}
