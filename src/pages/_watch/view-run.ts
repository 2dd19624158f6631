/** Draws the panel of a recorded run: what the agent says and calls, and what the service answers. */
import { html, type TemplateResult } from 'lit-html';
import { repeat } from 'lit-html/directives/repeat.js';
import { button } from '../_desk/common/parts.ts';
import { copyButton } from '../_scripts/dom.ts';
import { isolate } from '../_scripts/isolate.ts';
import { describeValue, listArguments } from './describe-call.ts';
import { type AnsweredFact, isAsRecorded } from './recorded-agent.ts';
import type { AgentRun, RunBranch, RunStep } from './run-file.ts';

/** A line of the panel: a step of the agent, or what the person decided. */
interface ShownStep {
  step?: RunStep;
  /** What the person decided. */
  words?: string;
  /** The answer. Undefined while the call goes on. */
  facts?: AnsweredFact[];
  /** Whether the step was left out. */
  isSkipped?: boolean;
}

/** Why the run stopped. */
interface RunFault {
  words: string;
  /** Whether leaving out the step can help. */
  canSkip: boolean;
}

/** What the player has come to. */
export interface PlayerState {
  run: AgentRun;
  shown: ShownStep[];
  phase: 'running' | 'deciding' | 'ended' | 'gone';
  /** Whether steps follow by themselves. */
  isPlaying: boolean;
  /** Whether a call goes on. */
  isBusy: boolean;
  /** How much faster than at first: 1, 2 or 4. */
  speed: number;
  fault: RunFault | undefined;
  /** The address of the link of the client. */
  link: string | undefined;
  /** The id of the workspace, once the run is over. */
  workspace: string | undefined;
  /** Whether the service runs in this browser only. */
  isPreview: boolean;
}

/** What the buttons of the panel do. */
export interface PlayerActions {
  turn(): unknown;
  step(): unknown;
  faster(): unknown;
  retry(): unknown;
  skip(): unknown;
  restart(): unknown;
  decide(decision: RunBranch['decision']): unknown;
}

function viewFact(fact: AnsweredFact): TemplateResult {
  const { name, value, recorded } = fact;
  const other = isAsRecorded(fact)
    ? ''
    : html`<span class="other">The recording says ${describeValue(recorded)}.</span>`;
  return html`<div><dt>${name}:</dt> <dd>${isolate(describeValue(value))} ${other}</dd></div>`;
}

const viewArgument = ([name, text]: [name: string, text: string]) =>
  html`<div><dt>${name}:</dt> <dd>${isolate(text)}</dd></div>`;

function viewAnswer({ facts, isSkipped }: ShownStep): unknown {
  if (isSkipped) return html`<p class="answered">→ left out</p>`;
  if (!facts) return html`<p class="answered">→ …</p>`;
  return html`<p class="answered"><span class="unseen">The answer: </span><span aria-hidden="true">→ </span><strong>OK</strong></p>
    <dl>${facts.map(viewFact)}</dl>`;
}

function viewStep(shown: ShownStep): TemplateResult {
  const { step, words } = shown;
  if (!step) return html`<li class="decided"><p>${words}</p></li>`;
  return html`<li>
    <p class="says">${step.says}</p>
    <div class="frame call">
      <p><strong>${step.call}</strong></p>
      <dl>${listArguments(step.input).map(viewArgument)}</dl>
      ${viewAnswer(shown)}
    </div>
  </li>`;
}

function viewControls({ isPlaying, isBusy, speed, phase, fault }: PlayerState, actions: PlayerActions) {
  if (phase !== 'running' || fault) return '';
  return html`<p class="actions controls">
    ${button(isPlaying ? 'Pause' : 'Play', actions.turn, isPlaying ? 'quiet' : '')}
    <button type="button" class="button quiet" ?disabled=${isBusy || isPlaying} @click=${actions.step}>Next step</button>
    <button type="button" class="button quiet" aria-label=${`Speed: ${speed} times. Make it faster`} @click=${actions.faster}>${speed}×</button>
  </p>`;
}

/** Asks the person to decide, as the client does who opens the link. */
function viewDecision({ run, link, isPreview, isBusy }: PlayerState, { decide }: PlayerActions) {
  const { person, says } = run.decision;
  const another = isPreview ? 'another tab' : 'another tab or on a phone';
  return html`<section class="asked flow" aria-labelledby="watch-asked">
    <p class="says">${says}</p>
    <h3 id="watch-asked" tabindex="-1">Your turn. You are the client: meet ${person}?</h3>
    <p class="actions">
      <button type="button" class="button" ?disabled=${isBusy} @click=${() => decide('interview')}>Interview</button>
      <button type="button" class="button quiet" ?disabled=${isBusy} @click=${() => decide('decline')}>Decline</button>
    </p>
    <p class="note">Or decide as a client does: <a href=${link} target="_blank" rel="noopener">open the link of the client</a>
      in ${another}. Or decide in the workspace: press Review. The agent notices either.</p>
  </section>`;
}

const viewFault = ({ words, canSkip }: RunFault, { retry, skip, restart }: PlayerActions) =>
  html`<div class="fault flow">
    <p class="verdict is-blocked" role="alert">${words}</p>
    <p class="actions">${button('Try again', retry, '')}
      ${canSkip ? html`${button('Leave this step out', skip)}${button('Begin again', restart)}` : ''}</p>
  </div>`;

/** A button that copies the id of the workspace. If the browser refuses that, the id is shown beside it. */
const copyId = (id: string): HTMLButtonElement =>
  copyButton(
    'Copy the id of this workspace',
    'button quiet',
    () => id,
    (pressed) => pressed.after(id),
  );

function viewEnd({ run, isPreview, workspace }: PlayerState): TemplateResult {
  const connect = isPreview
    ? html`<p>This is a preview in your browser, which no other program can reach. An agent needs a running service:
        <a href="/guides/operating.html">run one</a>.</p>`
    : html`<p><a class="button" href="/index.html#connect">Connect your agent</a></p>
        <p class="actions">${copyId(workspace!)}</p>
        <p class="note">Tell your agent the id as its workspace. It is a secret: who has it can change all here.</p>`;
  return html`<section class="ended flow" aria-labelledby="watch-end">
    <p class="says">${run.end}</p>
    <h3 id="watch-end" tabindex="-1">Now connect yours</h3>
    ${connect}
    <p class="actions"><a class="button quiet" href="/workspace.html#today">Keep this workspace and go on</a></p>
  </section>`;
}

const viewGone = ({ restart }: PlayerActions) => html`<div class="fault flow">
  <p class="verdict is-blocked" role="alert">The workspace of this run was closed, deleted or has expired.</p>
  <p class="actions">${button('Begin again', restart, '')}</p>
</div>`;

function viewPhase(player: PlayerState, actions: PlayerActions): unknown {
  if (player.phase === 'gone') return viewGone(actions);
  if (player.fault) return viewFault(player.fault, actions);
  if (player.phase === 'deciding') return viewDecision(player, actions);
  return player.phase === 'ended' ? viewEnd(player) : '';
}

/** Draws the panel. */
export const viewRun = (player: PlayerState, actions: PlayerActions): TemplateResult =>
  html`<header>
      <h2 tabindex="-1">${player.run.title}</h2>
      <p class="note">What the agent says is a recording. Each call is made now, in a workspace of your own, and each
        answer is what the service replied.</p>
      ${viewControls(player, actions)}
    </header>
    <div class="log" role="log" aria-label="What the agent does" tabindex="0">
      <p class="task">${player.run.task}</p>
      <ol class="plain">${repeat(player.shown, (_, index) => index, viewStep)}</ol>
      ${viewPhase(player, actions)}
    </div>`;
