/** Plays a recorded run beside the desk: makes its calls one after the other, and waits where a person decides. */
import { render } from 'lit-html';
import runUrl from '../../../content/agent-run.json?url';
import '../_desk/main.ts';
import { enterWorkspace, pollChanges } from '../_desk/page/workspace.ts';
import { refresh } from '../_desk/state/load.ts';
import { state } from '../_desk/state/state.ts';
import { ApiError, callApi } from '../_scripts/api-client.ts';
import { fillDates } from '../_scripts/desk-dates.ts';
import { type CallTool, RecordedAgent } from './recorded-agent.ts';
import type { AgentRun, RunBranch } from './run-file.ts';
import { type PlayerActions, type PlayerState, viewRun } from './view-run.ts';

/** How long a step is shown before the next one, at the first speed. */
const stepMs = 2000;
const speeds = [1, 2, 4];

const describeOutage = () =>
  navigator.onLine
    ? 'The service does not answer just now. Nothing is lost: the run goes on at this step.'
    : 'This device is offline. Nothing is lost: the run goes on at this step.';

/** Calls a tool over MCP, as an agent does. Throws an ApiError if there is no result. */
const callTool: CallTool = async (name, args) => {
  const params = { name, arguments: args };
  const { status, body } = await callApi('POST', '/mcp', {
    headers: { Accept: 'application/json, text/event-stream' },
    body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params },
  });
  if (!body.result) throw new ApiError(status, body.error ?? body);
  return body.result.structuredContent;
};

const createKey = () => crypto.getRandomValues(new Uint32Array(4)).join('-');

/** Reads the recorded run, with its dates relative to today. Throws an ApiError if nothing answers. */
async function readRun(): Promise<AgentRun> {
  const response = await fetch(runUrl).catch(() => undefined);
  if (!response?.ok) throw new ApiError(0);
  return JSON.parse(fillDates(await response.text())) as AgentRun;
}

/** The player of one run. It draws its panel in `place`. */
class Player implements PlayerActions {
  readonly #place: HTMLElement;
  readonly #state: PlayerState;
  #agent: RecordedAgent;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** The workspace that the desk shows. */
  #openedId: string | undefined;
  /** The revision of the workspace for which the decision was read last. */
  #readRevision = 0;

  constructor(run: AgentRun, place: HTMLElement, isPlaying: boolean) {
    this.#place = place;
    this.#agent = new RecordedAgent(run, createKey(), callTool);
    this.#state = {
      ...{ run, isPlaying, shown: [], phase: 'running', isBusy: false, speed: 1 },
      ...{ fault: undefined, link: undefined, workspace: undefined },
      isPreview: document.documentElement.dataset.service === 'browser',
    };
    this.#followDesk();
    addEventListener('online', () => this.#state.fault && this.retry());
  }

  /** Begins: draws the panel, and makes the first call if the run plays by itself. */
  start(): void {
    this.#update({});
    this.#place.querySelector<HTMLElement>('h2')?.focus({ preventScroll: true });
    if (this.#state.isPlaying) void this.step();
  }

  turn = (): void => {
    this.#update({ isPlaying: !this.#state.isPlaying });
    if (this.#state.isPlaying) void this.step();
    else clearTimeout(this.#timer);
  };

  faster = (): void => {
    const at = speeds.indexOf(this.#state.speed);
    this.#update({ speed: speeds[(at + 1) % speeds.length]! });
  };

  step = async (): Promise<void> => {
    clearTimeout(this.#timer);
    const step = this.#agent.next;
    if (this.#state.isBusy || this.#state.phase !== 'running' || !step) return;
    const { shown } = this.#state;
    this.#update({ isBusy: true, fault: undefined, shown: [...shown, { step }] });
    try {
      const { facts, refused } = await this.#agent.step();
      if (refused !== undefined)
        return this.#stop(`The service refused this call: ${refused}`, this.#agent.workspace !== undefined);
      this.#update({ isBusy: false, shown: [...shown, { step, facts }] });
      await this.#showOnDesk();
      this.#goOn();
    } catch (error) {
      const { status, message } = error as ApiError;
      this.#stop(error instanceof ApiError && status > 0 ? message : describeOutage(), false);
    }
  };

  retry = (): void => {
    this.#update({ fault: undefined, shown: this.#state.shown.filter(({ facts, step }) => facts || !step) });
    void this.step();
  };

  skip = (): void => {
    const shown = this.#state.shown.map((one) =>
      one.step && !one.facts ? { ...one, isSkipped: true } : one,
    );
    this.#agent.skip();
    this.#update({ fault: undefined, shown });
    this.#goOn();
  };

  restart = (): void => {
    const { run } = this.#state;
    this.#agent = new RecordedAgent(run, createKey(), callTool);
    this.#readRevision = 0;
    this.#update({ shown: [], phase: 'running', fault: undefined, isBusy: false, link: undefined });
    void this.step();
  };

  /** Decides as the client does who opens the link. */
  decide = async (decision: RunBranch['decision']): Promise<void> => {
    const headers = { 'X-Shortlist': this.#agent.link!.token };
    this.#update({ isBusy: true });
    try {
      const read = await callApi('GET', '/shortlist', { headers });
      const { person } = this.#state.run.decision;
      const rows: { id: string; tag: string; candidate: { name: string } }[] =
        read.body.shortlist?.placements ?? [];
      const row = rows.find(({ candidate }) => candidate.name === person);
      const body = { placementId: row?.id, tag: row?.tag, decision };
      const { status, body: answered } = await callApi('POST', '/shortlist', { headers, body });
      if (status >= 300) throw new ApiError(status, answered);
      await refresh();
      this.#update({ isBusy: false });
    } catch (error) {
      const { status, message } = error as ApiError;
      this.#stop(status > 0 ? message : describeOutage(), false);
    }
  };

  #update(change: Partial<PlayerState>): void {
    Object.assign(this.#state, change);
    render(viewRun(this.#state, this), this.#place);
    const log = this.#place.querySelector('.log')!;
    log.scrollTop = log.scrollHeight;
  }

  #stop(words: string, canSkip: boolean): void {
    clearTimeout(this.#timer);
    this.#update({ isBusy: false, fault: { words, canSkip } });
  }

  /**
   * Has the desk show what the call changed. The first call made the workspace of the desk. If that cannot be opened, the
   * next step tries again.
   */
  async #showOnDesk(): Promise<void> {
    const { workspace } = this.#agent;
    if (workspace === undefined) return;
    if (state.workspace && this.#openedId === workspace) return void pollChanges(true);
    await enterWorkspace({ id: workspace }).then(
      () => (this.#openedId = workspace),
      () => {},
    );
  }

  /** Goes on to the next step, to the decision, or to the end. */
  #goOn(): void {
    const { isPlaying, speed } = this.#state;
    if (this.#agent.next) {
      if (isPlaying) this.#timer = setTimeout(this.step, stepMs / speed);
      return;
    }
    const { isWaiting, workspace, link } = this.#agent;
    this.#update(isWaiting ? { phase: 'deciding', link: link?.url } : { phase: 'ended', workspace });
    // The person may have decided on the desk already.
    if (state.workspace) void this.#readDecision(state.workspace.revision);
    this.#place.querySelector<HTMLElement>('.log h3')?.focus({ preventScroll: true });
  }

  /** Looks at each change of the desk: whether the person has decided, or has closed the workspace. */
  #followDesk(): void {
    const { draw } = state.hooks;
    state.hooks.draw = () => {
      draw();
      if (state.workspace) return void this.#readDecision(state.workspace.revision);
      const { workspace } = this.#agent;
      if (workspace !== undefined && this.#openedId === workspace) this.#update({ phase: 'gone' });
    };
  }

  /** Reads the decision if the workspace has changed since. Then the agent goes on from it. */
  async #readDecision(revision: number): Promise<void> {
    if (this.#state.phase !== 'deciding' || revision === this.#readRevision) return;
    this.#readRevision = revision;
    const hasDecided = await this.#agent.readDecision().catch(() => false);
    if (!hasDecided || this.#state.phase !== 'deciding') return;
    const { person } = this.#state.run.decision;
    const words =
      this.#agent.branch!.decision === 'decline' ? `You declined ${person}.` : `You want ${person} to go on.`;
    const { shown } = this.#state;
    this.#update({ phase: 'running', fault: undefined, shown: [...shown, { words }] });
    this.#goOn();
  }
}

/**
 * Plays the recorded run in `place`, after `show` made it visible. With `isPlaying` steps follow by themselves. Throws an
 * ApiError if the run cannot be read.
 */
export async function playRun(place: HTMLElement, isPlaying: boolean, show: () => void): Promise<void> {
  const run = await readRun();
  show();
  new Player(run, place, isPlaying).start();
}
