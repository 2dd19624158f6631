import { el } from '../dom.ts';
import { toCount } from '../numbers.ts';
import { toTimeLeft } from '../workspace.ts';
import { access } from './access.ts';
import { write } from './ask.ts';
import { dayMs } from './course.ts';
import { current, facts, onWorkspace, place } from './desk.ts';
import { askSure, button, redraw } from './dialog.ts';
import type { WorkspaceFacts } from './facts.ts';
import { say } from './say.ts';
import { drawBar } from './svg.ts';

const toShort = (id: string) => (id.length > 20 ? `${id.slice(0, 9)}…${id.slice(-4)}` : id);

/** `22 Nov 2026, 07:16 UTC`. */
export function toMoment(time: string): string {
  const date = new Date(time);
  const day = date.toLocaleDateString('en-GB', {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    timeZone: 'UTC',
  });
  return `${day}, ${time.slice(11, 16)} UTC`;
}

/** A span as a person says it: days where there are many. */
function toLeft(milliseconds: number): string {
  const days = Math.floor(milliseconds / dayMs);
  return days >= 2 ? `${days} days` : toTimeLeft(milliseconds);
}

const rungWords = {
  sandbox: 'Sandbox',
  worked: 'Kept longer by work',
  claimed: 'Claimed by a person',
};

function toName(): string {
  const by = access();
  if (!by) return '';
  return 'id' in by ? toShort(by.id) : toShort(by.handle ?? '');
}

function drawFigures({ records }: WorkspaceFacts): HTMLElement[] {
  return facts.kinds.map(({ collection, plural }) =>
    el('div', {}, el('dt', {}, plural), el('dd', {}, toCount(records[collection] ?? 0))),
  );
}

/** What a person may do so that the workspace is kept longer. */
function toProlonging({ rung, claim }: WorkspaceFacts): string {
  const ways = ['Every change puts the end off again.'];
  if (rung === 'claimed') return ways[0]!;
  if (rung !== undefined) ways.push('Letting this computer work for it, below, adds a day.');
  if (claim !== undefined) ways.push('Claimed with a passkey it is kept much longer.');
  return ways.join(' ');
}

/** Starts a claim and goes to its page, which shows the code that is told here. */
async function startClaim(): Promise<void> {
  try {
    const { body } = await write('POST', '/workspace/claim', {});
    const { url, userCode } = body.claim as { url: string; userCode: string };
    const words = `The next page shows this code: ${userCode}. A link that your agent gave you before is void.`;
    const { pathname, hash } = new URL(url);
    if (await askSure('Claim this workspace?', words, 'Go on', '')) location.assign(pathname + hash);
  } catch (error) {
    say((error as Error).message, 'blocked');
  }
}

function draw(workspace: WorkspaceFacts): void {
  const { records, ceilings, expiresAt, rung, claim } = workspace;
  const held = Object.values(records).reduce((sum, count) => sum + count, 0);
  const left = Date.parse(expiresAt) - Date.now();
  redraw(
    place('glance'),
    el(
      'p',
      { class: 'workspace-name' },
      el('span', { class: 'mono' }, toName()),
      ' ',
      rung ? el('span', { class: 'chip is-ok' }, rungWords[rung]) : '',
    ),
    el('dl', { class: 'figures' }, ...drawFigures(workspace)),
  );
  redraw(
    place('kept'),
    el(
      'p',
      {},
      el('strong', {}, `${toLeft(left)} left.`),
      ` It is kept until ${toMoment(expiresAt)}, then forgotten with all it holds.`,
    ),
    el('p', { class: 'note' }, toProlonging(workspace)),
    claim === 'none' || claim === 'pending'
      ? el('p', { class: 'actions' }, button('Claim it with a passkey', startClaim, 'quiet', 'claim'))
      : '',
    el('p', {}, `${toCount(held)} of ${toCount(ceilings.records)} records.`),
    drawBar([{ part: held / ceilings.records }]),
  );
}

/** What the workspace is and until when it is kept. */
export function attachGlance(): void {
  onWorkspace(draw);
  setInterval(() => {
    const workspace = current();
    if (workspace) draw(workspace);
  }, 30_000);
}
